package memory

import (
	"context"
	"strings"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store/keys"
)

func TestS042UpdateReplacesTheTextAndKeepsTheRest(t *testing.T) {
	w := newWorld(t)
	id := w.add("The notary is Dr Quist.", ofType("decision"), tagged(map[string]string{"a": "1"}), saidBy("Odile"),
		from("2024-01-01T00:00:00Z"), citing(Source{Kind: MessageSource, ID: "m-1"}))
	before := w.head(id)
	after, err := w.update(other, id, "The notary is Dr. Quistgaard.")
	if err != nil {
		t.Fatal(err)
	}
	m := w.head(id)
	if after.Content != m.Content || m.Version != 2 || m.Edition.Actor != "other-key" || m.Edition.Reason != ByUpdate || !m.UpdatedAt.After(before.UpdatedAt) {
		t.Errorf("after %+v", m)
	}
	if m.Speaker != "Odile" || m.Tags["a"] != "1" || m.Type != Decision || len(m.Provenance.Sources) != 1 || !m.CreatedAt.Equal(before.CreatedAt) ||
		!m.Temporal.ValidFrom.Equal(*before.Temporal.ValidFrom) || m.Provenance.KeyID != "agent-key" || string(m.Salt) != string(before.Salt) {
		t.Errorf("after %+v", m)
	}
	if m.Bytes != before.Bytes+int64(len(m.Content)) {
		t.Errorf("%d bytes after %d", m.Bytes, before.Bytes)
	}
	w.wantOps(id, ledger.Create, ledger.Update)
	vectors, err := LoadVectors(context.Background(), w.Store, w.scope, []string{id}, w.model.Profile().Name())
	if err != nil || vectors[0].Version != 2 {
		t.Errorf("vector %+v, %v", vectors, err)
	}
	if a := w.append(agent, fact("the NOTARY is Dr. Quistgaard.", ofType("decision"), saidBy("Odile"), from("2024-01-01T00:00:00Z"))); a.ID != id {
		t.Error("the new text is no merge target")
	}
	if a := w.append(agent, fact("The notary is Dr Quist.", ofType("decision"), saidBy("Odile"), from("2024-01-01T00:00:00Z"))); a.ID == id {
		t.Error("the old text still is")
	}
}

func TestR036TheVeryTextMakesNoVersion(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ramp is wet.")
	same, err := w.update(person, id, "The ramp is wet.")
	if err != nil || same.Version != 1 || same.Sequence != 2 {
		t.Errorf("%+v, %v", same, err)
	}
	if w.has(keys.MemoryVersion(w.scope, id, 1)) {
		t.Error("a version was written")
	}
	w.append(agent, fact("The ramp is wet."))
}

func TestS043AStaleIfMatchIsRefused(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ramp is wet.")
	only := func(version int64) func(int64) bool { return func(v int64) bool { return v == version } }
	revise := func(version int64, text string) error {
		_, err := w.Update(context.Background(), w.as(agent), Revision{ID: id, Content: text, Allows: only(version)})
		return err
	}
	if err := revise(1, "The ramp is dry."); err != nil {
		t.Fatal(err)
	}
	err := revise(1, "The ramp is icy.")
	wantCode(t, err, "VERSION_MISMATCH")
	if errs.KindOf(err) != errs.Precondition {
		t.Errorf("kind %v", errs.KindOf(err))
	}
	_, err = w.Delete(context.Background(), w.as(agent), Removal{ID: id, Allows: only(1)})
	wantCode(t, err, "VERSION_MISMATCH")
	if _, err = w.Delete(context.Background(), w.as(agent), Removal{ID: id, Allows: only(2)}); err != nil {
		t.Error(err)
	}
}

func TestS044UpdateChecksItsText(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ramp is wet.")
	for _, bad := range []string{"", " \n\t", strings.Repeat("z ", 8001), "a\x00b"} {
		_, err := w.update(agent, id, bad)
		wantField(t, err, "/content")
	}
	for _, unknown := range []string{w.IDs.New(), "no id", "#", ""} {
		_, err := w.update(agent, unknown, "x")
		wantCode(t, err, "NOT_FOUND")
	}
}

func TestR05UpdateAndDeleteNeedTheSubject(t *testing.T) {
	w := newWorld(t)
	id := w.add("The dentist is Dr Ek.", ofUser("ada"))
	for _, asked := range []Subject{{}, {UserID: "ben"}, {AgentID: "ada"}} {
		_, err := w.Update(context.Background(), w.as(admin), Revision{ID: id, Content: "x", Subject: asked})
		wantCode(t, err, "NOT_FOUND")
		_, err = w.Delete(context.Background(), w.as(admin), Removal{ID: id, Subject: asked})
		wantCode(t, err, "NOT_FOUND")
	}
	if _, err := w.Update(context.Background(), w.as(other), Revision{ID: id, Content: "x", Subject: Subject{UserID: "ada", AgentID: "z"}}); err != nil {
		t.Error(err)
	}
}

func TestR01ChangingATenantMemoryNeedsItsCapability(t *testing.T) {
	w := newWorld(t)
	id := w.append(admin, fact("Radios are tested daily.", func(d *Draft) { d.Layer = "Tenant" })).ID
	_, err := w.update(agent, id, "Radios are tested weekly.")
	wantCode(t, err, "CAPABILITY_MISSING")
	wantCode(t, w.delete(agent, id), "CAPABILITY_MISSING")
	if _, err := w.update(admin, id, "Radios are tested weekly."); err != nil {
		t.Fatal(err)
	}
	if err := w.delete(admin, id); err != nil {
		t.Fatal(err)
	}
	if w.has(keys.TenantMemory(tenantID, id)) {
		t.Error("it is still in the tenant's list")
	}
}

func TestS045ADirtyUpdateIsHeldAtOnce(t *testing.T) {
	w := newWorld(t)
	id := w.add("The crew trusts the pilot.", ofAttribute("trust"))
	m, err := w.update(agent, id, hostile)
	if err != nil || m.Status != Quarantined || m.Trust() != 0 || m.Version != 2 {
		t.Fatalf("%+v, %v", m.Memory, err)
	}
	if !w.has(keys.Quarantined(w.scope, id)) || w.has(keys.MemoryVector(w.scope, id, w.model.Profile().Name())) {
		t.Error("not listed, or with a vector")
	}
	w.wantOps(id, ledger.Create, ledger.Quarantine)
	if a := w.append(agent, fact("The crew trusts the pilot.", ofAttribute("trust"))); a.ID == id || w.head(a.ID).Status != Active {
		t.Error("merged with, or held up by, what is in quarantine")
	}
}

func TestR038ACleanUpdateLiftsNoQuarantine(t *testing.T) {
	w := newWorld(t)
	id := w.add(hostile)
	m, err := w.update(reviewer, id, "The beacon was painted.")
	if err != nil || m.Status != Quarantined || len(m.Quarantine.Reasons) == 0 {
		t.Fatalf("%+v, %v", m.Memory, err)
	}
	if a := w.append(agent, fact("The beacon was painted.")); a.Merged {
		t.Error("merged into quarantine")
	}
	w.wantOps(id, ledger.Quarantine, ledger.Update)
}

func TestT15AnUpdateIsReplayedAsItWasAnswered(t *testing.T) {
	w := newWorld(t)
	id := w.add("The keel is lead.")
	target := w.keyed(agent, "k", `"iron"`)
	first, err := w.Update(context.Background(), target, Revision{ID: id, Content: "The keel is iron."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.update(agent, id, "The keel is steel."); err != nil {
		t.Fatal(err)
	}
	again, err := w.Update(context.Background(), target, Revision{ID: id, Content: "The keel is iron."})
	if err != nil || !again.Replayed || again.Version != first.Version || again.Content != "The keel is iron." {
		t.Errorf("replay %+v, %v", again, err)
	}
	if w.head(id).Content != "The keel is steel." {
		t.Error("the replay wrote")
	}
	if err := w.delete(agent, id); err != nil {
		t.Fatal(err)
	}
	_, err = w.Update(context.Background(), target, Revision{ID: id, Content: "The keel is iron."})
	wantCode(t, err, "NOT_FOUND")
}

func TestS046AnUpdateWithoutTheModelLeavesAJobAndNoOldVector(t *testing.T) {
	w := newWorld(t)
	id := w.add("The keel is lead.")
	w.model.down = true
	m, err := w.update(agent, id, "The keel is iron.")
	if err != nil {
		t.Fatal(err)
	}
	w.wantDeferred(Appended{ID: id, Outcome: m.Outcome})
}
