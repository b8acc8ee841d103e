package work_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/ledger/tablejournal"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/tenant"
)

// tableJournal is the journal of functions that may be frozen after each answer.
func (w *world) tableJournal() *journal {
	return &journal{Journal: tablejournal.New(tablejournal.Options{Store: w.store, Clock: w.clock, Log: slog.New(slog.DiscardHandler)})}
}

func TestT19RowsThatWaitAreSealedIntoTheChain(t *testing.T) {
	w := newWorld(t)
	j := w.tableJournal()
	w.add(fact("The lighthouse is white."))
	made := j.read(t, w, scope, 2*ledger.SealBatch+5)
	others := j.read(t, w, other, 3)
	if n, err := w.sealer(j).Run(t.Context()); n != len(made)+3 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if got := w.sealedIn(scope); !slices.Equal(got, made) {
		t.Errorf("%d receipts sealed, want %d in order", len(got), len(made))
	}
	if got := w.sealedIn(other); !slices.Equal(got, others) {
		t.Errorf("of the other workspace: %v", got)
	}
	after, found, err := ledger.Receipts{Store: w.store, Journal: j}.Get(t.Context(), scope, made[7])
	if err != nil || !found || after.Sequence < 2 || len(after.Hash) == 0 || after.RequestHash != "h" {
		t.Errorf("%+v, %v, %v", after, found, err)
	}
	if n, err := w.sealer(j).Run(t.Context()); n != 0 || err != nil {
		t.Errorf("nothing is left: %d, %v", n, err)
	}
	w.verified()
}

// TestT19SealersAtOnceSealOnce: messages and the schedule may wake several.
func TestT19SealersAtOnceSealOnce(t *testing.T) {
	w := newWorld(t)
	j := w.tableJournal()
	made := j.read(t, w, scope, ledger.SealBatch+20)
	var group sync.WaitGroup
	for range 4 {
		another := worldOver(t, w.store, w.clock, w.index, w.cursors) // a process of its own
		group.Go(func() {
			if _, err := another.sealer(j).Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	got := w.sealedIn(scope)
	slices.Sort(got)
	if !slices.Equal(got, made) {
		t.Errorf("%d sealed, want %d once each", len(got), len(made))
	}
	w.verified()
}

func TestT19AFaultAtEveryStoreCallSealsARowOnce(t *testing.T) {
	var made []string
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		s := filled(t)
		w := worldOver(t, s, newWorld(t).clock, nil, nil)
		made = w.tableJournal().read(t, w, scope, 3)
		return s
	}, func(t *testing.T, s *faultstore.Store) {
		w := newWorld(t)
		w = worldOver(t, s, w.clock, w.index, w.cursors)
		j := w.tableJournal()
		_, _ = w.sealer(j).Run(t.Context()) // the fault: what it leaves counts
		s.Disarm()
		if _, err := w.sealer(j).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := w.sealedIn(scope)
		slices.Sort(got) // a part of the due index that could not be read comes in a later row
		if !slices.Equal(got, made) {
			t.Errorf("sealed %v, want %v", got, made)
		}
		w.verified()
	})
}

// TestAStuckWorkspaceIsTriedOnceARun, however many batches it has.
func TestAStuckWorkspaceIsTriedOnceARun(t *testing.T) {
	w := newWorld(t)
	j := &counted{journal: newJournal(t)}
	j.read(t, w, scope, 3*ledger.SealBatch)
	j.sealed = errAway
	if _, err := w.sealer(j).Run(t.Context()); !errors.Is(err, errAway) || j.asked != 2 || w.times(ledger.Seal, "") != 1 {
		t.Errorf("%v, asked %d times, %d seal rows", err, j.asked, w.times(ledger.Seal, ""))
	}
}

// counted counts how often the sealer asks for more.
type counted struct {
	*journal
	asked int
}

func (c *counted) Unsealed(ctx context.Context, skip map[tenant.Scope]bool) ([]ledger.Batch, error) {
	c.asked++
	return c.journal.Unsealed(ctx, skip)
}
