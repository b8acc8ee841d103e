package work_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/ledger/filejournal"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// journal is the real one with faults.
type journal struct {
	ledger.Journal
	sealed error // what Sealed answers, having done nothing
}

func (j *journal) Sealed(ctx context.Context, scope tenant.Scope, ids []string) error {
	if j.sealed != nil {
		return j.sealed
	}
	return j.Journal.Sealed(ctx, scope, ids)
}

func newJournal(t testing.TB) *journal {
	t.Helper()
	j, err := filejournal.Open(filejournal.Options{Folder: t.TempDir(), Flush: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return &journal{Journal: j}
}

// read leaves n receipts in a scope and answers their ids.
func (j *journal) read(t testing.TB, w *world, s tenant.Scope, n int) []string {
	t.Helper()
	source := ids.NewSource(w.clock.Now, nil)
	var out []string
	for range n {
		score := .5
		r := ledger.Receipt{ID: source.New(), Kind: ledger.RetrieveReceipt, Family: "memory", At: w.clock.Now(),
			Actor: agent.Actor, Items: []ledger.Item{{ID: "m", Version: 1, Score: &score}}, RequestHash: "h"}
		if err := j.Append(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.ID)
	}
	w.clock.Advance(time.Second)
	return out
}

func (w *world) sealer(j ledger.Journal) work.Sealer {
	return work.Sealer{Store: w.store, Commit: w.commit, Journal: j}
}

// sealedIn lists the receipts that the seal rows of a scope name.
func (w *world) sealedIn(s tenant.Scope) []string {
	w.t.Helper()
	rows, err := ledger.Log{Store: w.store}.Rows(w.t.Context(), s, 1, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, row := range rows {
		if row.Entry.Op == ledger.Seal {
			out = append(out, row.Entry.Sealed...)
		}
	}
	return out
}

func TestT19ReadReceiptsAreSealedIntoTheChainInBatches(t *testing.T) {
	w := newWorld(t)
	j := newJournal(t)
	w.add(fact("The lighthouse is white."))
	made := j.read(t, w, scope, 2*ledger.SealBatch+5)
	read := ledger.Receipts{Store: w.store, Journal: j}
	before, found, err := read.Get(t.Context(), scope, made[0])
	if err != nil || !found || before.Sequence != 0 || before.Hash != nil {
		t.Fatalf("before: %+v, %v, %v", before, found, err)
	}
	if n, err := w.sealer(j).Run(t.Context()); n != len(made) || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if got := w.sealedIn(scope); !slices.Equal(got, made) {
		t.Errorf("%d receipts sealed, want %d", len(got), len(made))
	}
	if n := w.times(ledger.Seal, ""); n != 3 {
		t.Errorf("%d seal rows, want 3", n)
	}
	for _, id := range []string{made[0], made[len(made)-1]} {
		after, found, err := read.Get(t.Context(), scope, id)
		if err != nil || !found || after.Sequence < 2 || len(after.Hash) == 0 || after.RequestHash != "h" || *after.Items[0].Score != .5 {
			t.Errorf("after: %+v, %v, %v", after, found, err)
		}
	}
	if n, err := w.sealer(j).Run(t.Context()); n != 0 || err != nil {
		t.Errorf("nothing is left: %d, %v", n, err)
	}
	w.verified()
}

func TestT19AScopeThatCannotBeSealedHoldsUpNoOther(t *testing.T) {
	w := newWorld(t)
	j := newJournal(t)
	stuck := j.read(t, w, scope, 3) // the oldest
	free := j.read(t, w, other, 3)
	jammed := &refusing{Store: w.store, key: keys.Head(scope)}
	broken := worldOver(t, jammed, w.clock, w.index, w.cursors)
	if n, err := broken.sealer(j).Run(t.Context()); n != 3 || err == nil {
		t.Fatalf("%d, %v", n, err)
	}
	if got := w.sealedIn(other); !slices.Equal(got, free) || len(w.sealedIn(scope)) != 0 {
		t.Errorf("sealed %v and %v", got, w.sealedIn(scope))
	}
	if n, err := w.sealer(j).Run(t.Context()); n != 3 || err != nil || !slices.Equal(w.sealedIn(scope), stuck) {
		t.Errorf("next run: %d, %v, %v", n, err, w.sealedIn(scope))
	}
}

// refusing is a store that does not commit to one key.
type refusing struct {
	store.Store
	key store.Key
}

func (r *refusing) Commit(ctx context.Context, tx store.Tx) error {
	if slices.ContainsFunc(tx.Actions, func(a store.Action) bool { return a.Item.Key == r.key }) {
		return faultstore.ErrUnavailable
	}
	return r.Store.Commit(ctx, tx)
}

func TestT19ACrashBetweenCommitAndJournalSealsOnce(t *testing.T) {
	w := newWorld(t)
	j := newJournal(t)
	first := j.read(t, w, scope, 4)
	j.sealed = errAway
	if n, err := w.sealer(j).Run(t.Context()); n != 0 || !errors.Is(err, errAway) {
		t.Fatalf("%d, %v", n, err)
	}
	j.sealed = nil
	second := j.read(t, w, scope, 2) // one batch with those that are sealed already
	if n, err := w.sealer(j).Run(t.Context()); n != 6 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if got := w.sealedIn(scope); !slices.Equal(got, append(first, second...)) {
		t.Errorf("sealed %v", got)
	}
	if left, err := j.Unsealed(t.Context(), nil); len(left) != 0 || err != nil {
		t.Errorf("the journal still holds %d batches, %v", len(left), err)
	}
	w.verified()
}

func TestT19AFaultAtEveryStoreCallOfASealSealsOnce(t *testing.T) {
	var j *journal
	var made []string
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		s := filled(t)
		j = newJournal(t)
		made = j.read(t, worldOver(t, s, newWorld(t).clock, nil, nil), scope, 3)
		return s
	}, func(t *testing.T, s *faultstore.Store) {
		w := newWorld(t)
		w = worldOver(t, s, w.clock, w.index, w.cursors)
		_, _ = w.sealer(j).Run(t.Context()) // the fault: what it leaves counts
		s.Disarm()
		if _, err := w.sealer(j).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := w.sealedIn(scope); !slices.Equal(got, made) || w.times(ledger.Seal, "") != 1 {
			t.Errorf("sealed %v in %d rows, want %v", got, w.times(ledger.Seal, ""), made)
		}
		w.verified()
	})
}

func TestT40ReceiptsOfADeadProcessAreSealedByTheNext(t *testing.T) {
	w := newWorld(t)
	folder := t.TempDir()
	first, err := filejournal.Open(filejournal.Options{Folder: folder, Flush: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	made := (&journal{Journal: first}).read(t, w, scope, 3)
	// the first is not closed: a killed process closes nothing
	next, err := filejournal.Open(filejournal.Options{Folder: folder, Flush: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.sealer(next).Run(t.Context()); n != 3 || err != nil || !slices.Equal(w.sealedIn(scope), made) {
		t.Errorf("%d, %v, %v", n, err, w.sealedIn(scope))
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
}
