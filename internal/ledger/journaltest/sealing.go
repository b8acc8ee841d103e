package journaltest

import (
	"slices"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
)

func survives(w *world) {
	made := idsOf(w.reads(one, 3))
	w.journal = w.Open()
	if _, found := w.get(one, made[2]); !found {
		w.Error("not found by the next process")
	}
	if batches := w.unsealed(nil); len(batches) != 1 || !slices.Equal(idsOf(batches[0].Receipts), made) {
		w.Fatalf("the next process finds %v", batches)
	}
}

func sealedOnce(w *world) {
	made := idsOf(w.reads(one, 3))
	w.sealUntold(w.unsealed(nil)[0])
	w.journal = w.Open()
	made = append(made, idsOf(w.reads(one, 2))...)
	if r, _ := w.get(one, made[0]); r.Sequence != 1 {
		w.Errorf("a sealed receipt says %d", r.Sequence)
	}
	sealed := 0
	for batches := w.unsealed(nil); len(batches) > 0; batches = w.unsealed(nil) {
		for _, b := range batches {
			sealed += w.seal(b)
		}
	}
	if sealed != 2 {
		w.Errorf("%d sealed, want the two that were not", sealed)
	}
	w.verified(one)
}

func raced(w *world) {
	w.reads(one, 3)
	b := w.unsealed(nil)[0]
	slow, entry, op := w.plan(b)
	w.sealUntold(b)
	err := w.commit(b.Scope, slow, entry, op)
	if !store.Failed(err, "rc-"+b.Receipts[0].ID) {
		w.Fatalf("the slower sealer: %v", err)
	}
	if again, entry, _ := w.plan(b); len(again) != 0 || entry != nil {
		w.Errorf("planned anew: %d actions", len(again))
	}
	w.verified(one)
}

func listed(w *world) {
	sealed := idsOf(w.reads(one, 2))
	w.seal(w.unsealed(nil)[0])
	w.reads(one, 2)
	page, _, err := ledger.Receipts{Store: w.Store, Journal: w.journal}.List(w.Context(), one, "", 50, ledger.Position{})
	if err != nil || !slices.Equal(idsOf(page), sealed) {
		w.Errorf("%v, %v; want %v", idsOf(page), err, sealed)
	}
}

func notReopened(w *world) {
	made := w.reads(one, 1)[0]
	w.seal(w.unsealed(nil)[0])
	w.append(one, made) // a try that was on its way all the while
	if r, found := w.get(one, made.ID); !found || r.Sequence != 1 {
		w.Errorf("%+v, %v", r, found)
	}
	w.verified(one)
}
