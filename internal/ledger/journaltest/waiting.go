package journaltest

import (
	"encoding/json"
	"fmt"
	"slices"

	"holdfast/internal/ledger"
	"holdfast/internal/tenant"
)

func readBefore(w *world) {
	made := w.reads(one, 2)
	r, found := w.get(one, made[1].ID)
	if !found || r.ID != made[1].ID || r.Sequence != 0 || r.Hash != nil || r.Previous != nil {
		w.Fatalf("%+v, %v", r, found)
	}
}

func sameAfter(w *world) {
	made := w.reads(one, 3)
	before, _ := w.get(one, made[1].ID)
	for _, b := range w.unsealed(nil) {
		w.seal(b)
	}
	after, found := w.get(one, made[1].ID)
	if !found || after.Sequence != 1 || len(after.Hash) != 32 || len(after.Previous) != 32 {
		w.Fatalf("%+v, %v", after, found)
	}
	after.Sequence, after.Hash, after.Previous = 0, nil, nil
	if a, b := text(w, before), text(w, after); a != b || a != text(w, made[1]) {
		w.Errorf("was %s, is %s", a, b)
	}
	w.verified(one)
}

func text(w *world, r ledger.Receipt) string {
	w.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		w.Fatal(err)
	}
	return string(raw)
}

func ownScope(w *world) {
	made := w.reads(one, 1)[0]
	for _, scope := range []tenant.Scope{two, own} {
		if _, found := w.get(scope, made.ID); found {
			w.Errorf("found in %v", scope)
		}
	}
	if _, found := w.get(one, w.ids.New()); found {
		w.Error("a receipt that nobody made was found")
	}
}

func inOrder(w *world) {
	want := map[tenant.Scope][]string{}
	for range 5 {
		for _, scope := range []tenant.Scope{one, own, two} {
			want[scope] = append(want[scope], idsOf(w.reads(scope, 2))...)
		}
	}
	batches := w.unsealed(nil)
	if len(batches) != 3 || batches[0].Scope != one || batches[1].Scope != own || batches[2].Scope != two {
		w.Fatalf("%d batches: %v", len(batches), batches)
	}
	for _, b := range batches {
		if got := idsOf(b.Receipts); !slices.Equal(got, want[b.Scope]) {
			w.Errorf("%v: %v, want %v", b.Scope, got, want[b.Scope])
		}
	}
}

func batchLimit(w *world) {
	made := idsOf(w.reads(one, 2*ledger.SealBatch+3))
	var got []string
	for batches := w.unsealed(nil); len(batches) > 0; batches = w.unsealed(nil) {
		for _, b := range batches {
			if len(b.Receipts) > ledger.SealBatch {
				w.Fatalf("a batch of %d", len(b.Receipts))
			}
			w.seal(b)
			got = append(got, idsOf(b.Receipts)...)
		}
	}
	if !slices.Equal(got, made) {
		w.Errorf("%d receipts, want %d in order", len(got), len(made))
	}
	w.verified(one)
}

func skipped(w *world) {
	w.reads(one, 2)
	kept := idsOf(w.reads(two, 2))
	batches := w.unsealed(map[tenant.Scope]bool{one: true})
	if len(batches) != 1 || !slices.Equal(idsOf(batches[0].Receipts), kept) {
		w.Errorf("%v", batches)
	}
	if batches := w.unsealed(map[tenant.Scope]bool{one: true, two: true}); len(batches) != 0 {
		w.Errorf("all are skipped: %v", batches)
	}
}

func letGo(w *world) {
	w.reads(one, 3)
	w.seal(w.unsealed(nil)[0])
	if batches := w.unsealed(nil); len(batches) != 0 {
		w.Errorf("left: %v", batches)
	}
	next := idsOf(w.reads(one, 1))
	if batches := w.unsealed(nil); fmt.Sprint(idsOf(batches[0].Receipts)) != fmt.Sprint(next) {
		w.Errorf("left: %v", batches)
	}
}

func twice(w *world) {
	made := w.reads(one, 1)[0]
	w.append(one, made) // the first answer was lost
	w.sealUntold(w.unsealed(nil)[0])
	w.append(one, made)
	for _, b := range w.unsealed(nil) {
		if n := w.seal(b); n != 0 {
			w.Errorf("%d were sealed again", n)
		}
	}
	if r, found := w.get(one, made.ID); !found || r.Sequence != 1 {
		w.Errorf("%+v, %v", r, found)
	}
	w.verified(one)
}
