package erasure

import (
	"reflect"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

const itemID = "0192f0c1-1111-7000-8000-000000000001"

var (
	scope = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000b")
	at    = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
)

func TestRowsRoundTrip(t *testing.T) {
	for _, r := range []Record{{Status: Pending, RequestedAt: at}, {Status: Complete, Attempts: 3, RequestedAt: at, ErasedAt: &at, JobID: "j"}} {
		if got := Decode(r.Item(scope, itemID)); !reflect.DeepEqual(got, r) {
			t.Errorf("%+v, want %+v", got, r)
		}
	}
}

func TestR045OfTwoWorkersOneMovesTheRecordOn(t *testing.T) {
	s := memstore.New()
	put := func(r Record, cond *store.Cond) error {
		return s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("erasure", r.Item(scope, itemID), cond)}})
	}
	pending := Record{Status: Pending, RequestedAt: at}
	if _, found, err := Read(t.Context(), s, scope, itemID); found || err != nil {
		t.Fatal(found, err)
	}
	if err := put(pending, nil); err != nil {
		t.Fatal(err)
	}
	done := Record{Status: Complete, RequestedAt: at, ErasedAt: &at}
	if err := put(done, pending.Still()); err != nil {
		t.Fatal(err)
	}
	if err := put(done, pending.Still()); !store.Failed(err, "erasure") {
		t.Errorf("the second worker: %v", err)
	}
	if got, found, err := Read(t.Context(), s, scope, itemID); err != nil || !found || got.Status != Complete {
		t.Errorf("%+v, %v, %v", got, found, err)
	}
}
