package webhook

import (
	"testing"
	"time"

	"holdfast/internal/ledger"
)

// The signature below was made by another program.
func TestT49TheBodyAndItsSignature(t *testing.T) {
	d := Delivery{ID: "0198f3c2-6a00-7000-8000-00000000c0de", Event: MemoryAppended, Sequence: 12, At: start.In(time.FixedZone("east", 3600)),
		ItemID: "0198f3c2-6a00-7000-8000-0000000000a1", Version: 3, Operation: "0198f3c2-6a00-7000-8000-0000000000a2"}
	body, err := d.body(scope.WorkspaceID())
	want := `{"id":"0198f3c2-6a00-7000-8000-00000000c0de","type":"memory.appended","workspaceId":"0192f0c1-0000-7000-8000-00000000000b","sequence":12,"at":"2026-05-01T09:00:00.5Z",` +
		`"data":{"id":"0198f3c2-6a00-7000-8000-0000000000a1","version":3,"operationId":"0198f3c2-6a00-7000-8000-0000000000a2"}}`
	if err != nil || string(body) != want {
		t.Fatalf("%s, %v", body, err)
	}
	h := header("whsec_schlüssel", d.ID, time.Unix(1777626000, 999_999_999), body)
	if h.Get("Webhook-Id") != d.ID || h.Get("Webhook-Timestamp") != "1777626000" ||
		h.Get("Webhook-Signature") != "v1=28c03fbf54a78734517772f0b58b121c6733e1e75a1d48c923d689f871273a0f" || h.Get("Content-Type") != "application/json" {
		t.Errorf("%v", h)
	}
}

func TestT44ADeliveryIsSignedWithTheSecretThatWasShown(t *testing.T) {
	w := newWorld(t)
	made := w.hook("here", MemoryAppended)
	entry := w.item(ledger.Create)
	operation := w.happens(entry)
	w.settle()
	calls := w.net.to("here")
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	c := calls[0]
	id, at := c.header.Get(HeaderID), c.header.Get(HeaderTimestamp)
	if c.header.Get(HeaderSignature) != "v1="+Sign(made.Secret, id, at, c.raw) || id != c.body.ID || id != w.one(made.ID).ID {
		t.Errorf("%v over %s", c.header, c.raw)
	}
	if c.body.Data != (data{ID: entry.ItemID, Version: 1, OperationID: operation}) || c.body.Sequence != 2 || c.body.WorkspaceID != scope.WorkspaceID() || !c.body.At.Equal(start) {
		t.Errorf("%s", c.raw)
	}
}
