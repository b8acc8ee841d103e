package work_test

import (
	"slices"
	"strings"
	"testing"

	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
)

// slowly is the same world with another worker's store, in which a commit that
// has an action of this label waits until the lease has run out and meanwhile
// has happened.
func (w *world) slowly(label string, meanwhile func()) *world {
	hooked := &hookedStore{Store: w.store}
	hooked.before = func(tx store.Tx) {
		if slices.ContainsFunc(tx.Actions, func(a store.Action) bool { return strings.HasSuffix(a.Label, label) }) {
			hooked.before = nil
			w.clock.Advance(2 * lease)
			meanwhile()
		}
	}
	slow := worldOver(w.t, hooked, w.clock, w.index, w.cursors)
	w.t.Cleanup(func() {
		if hooked.before != nil {
			w.t.Error("nothing happened meanwhile")
		}
	})
	return slow
}

// A worker that is slower than its lease meets another that has done the job.
func TestR045CompleteNeverChangesAgain(t *testing.T) {
	for _, at := range []string{"erasure", "step", "0:erasure"} {
		w := newWorld(t)
		id := w.victim()
		w.sync(scope)
		w.delete(id, false)
		job := w.job().ID
		var done memory.Erasure
		slow := w.slowly(at, func() {
			if err := w.eraser().Run(t.Context(), scope, job); err != nil {
				t.Error(err)
			}
			done = w.erasure(id)
		})
		_ = slow.eraser().Run(t.Context(), scope, job) // it may fail; what it leaves counts
		if e := w.erasure(id); done.Status != memory.ErasureComplete || !e.ErasedAt.Equal(*done.ErasedAt) || e.Attempts != done.Attempts {
			t.Errorf("at %q: %+v, then %+v", at, done, e)
		}
		w.runJobs()
		w.erased(w.store.(store.Scanner), id)
	}
}

func TestR045GivingUpDoesNotUndoWhatAnotherWorkerCompleted(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.delete(id, false)
	job := w.job()
	slow := w.slowly("erasure", func() {
		if err := w.eraser().Run(t.Context(), scope, job.ID); err != nil {
			t.Error(err)
		}
	})
	job.Attempts = outbox.Tries
	if err := slow.eraser().GiveUp(t.Context(), job); err != nil {
		t.Errorf("%v", err)
	}
	w.erased(w.store.(store.Scanner), id)
}
