package work_test

import (
	"slices"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/memstore"
	"holdfast/internal/work"
)

// swept runs the jobs of a workspace with a fault at every store call of the
// first run; prepare fills the workspace, check says what must hold once the jobs
// have been run again to their end.
func swept(t *testing.T, prepare func(w *world), check func(w *world, table store.Scanner)) {
	t.Helper()
	var table *memstore.Store
	var c *clock.Fixed
	var x *index
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		table, c = filled(t), clock.NewFixed(start)
		x = &index{Index: memsearch.New(c)}
		prepare(worldOver(t, table, c, x, work.NewMemoryCursors()))
		return table
	}, func(t *testing.T, s *faultstore.Store) {
		broken := worldOver(t, s, c, x, work.NewMemoryCursors())
		_ = broken.eraser().Run(t.Context(), scope, worldOver(t, table, c, x, broken.cursors).eraseJob()) // the fault: what it leaves counts
		s.Disarm()
		w := worldOver(t, table, c, x, work.NewMemoryCursors()) // the next process
		w.runJobs()
		if left := w.eraseJob(); left != "" {
			t.Fatalf("job left: %+v", w.jobs())
		}
		check(w, table)
	})
}

// eraseJob is the first erase job; empty: there is none.
func (w *world) eraseJob() string {
	w.t.Helper()
	for _, job := range w.jobs() {
		if job.Kind == outbox.Erase {
			return job.ID
		}
	}
	return ""
}

func TestT24AFaultAtEveryStoreCallOfAnErasure(t *testing.T) {
	t.Parallel()
	var id string
	swept(t, func(w *world) {
		id = w.victim()
		w.sync(scope)
		w.delete(id, false)
	}, func(w *world, table store.Scanner) {
		w.erased(table, id)
		if got := w.steps(id); !slices.Equal(got, victimSteps) {
			w.t.Errorf("steps %q, want %q", got, victimSteps)
		}
		before := len(w.rows())
		if again := w.addTo(w.keyed(agent, "made"), fact("The "+canary+" is low.")); again.ID != id || len(w.rows()) != before {
			w.t.Errorf("a replay stored %d rows: %+v", len(w.rows())-before, again)
		}
	})
}

func TestT24AFaultAtEveryIndexCallOfAnErasure(t *testing.T) {
	for _, late := range []bool{false, true} {
		for at := 1; ; at++ {
			w := newWorld(t)
			id := w.victim()
			w.sync(scope)
			w.delete(id, false)
			w.index.late, w.index.fails = late, w.index.calls+at
			if err := w.eraser().Run(t.Context(), scope, w.job().ID); err != nil {
				t.Fatal(err)
			}
			if w.index.calls < w.index.fails {
				if at < 13 { // one write, then each of three texts looked for in two places, twice
					t.Errorf("only %d calls", at-1)
				}
				break
			}
			if e := w.erasure(id); e.Status != memory.ErasurePending {
				t.Errorf("call %d: %+v", at, e)
			}
			w.runJobs()
			w.erased(w.store.(store.Scanner), id)
			if got := w.steps(id); !slices.Equal(got, victimSteps) {
				t.Errorf("call %d: steps %q, want %q", at, got, victimSteps)
			}
		}
	}
}

func TestR067AFaultAtEveryStoreCallOfACascade(t *testing.T) {
	t.Parallel()
	var root, alone, both, grandchild string
	swept(t, func(w *world) {
		root, alone, both, grandchild = w.family()
		w.delete(root, true)
	}, func(w *world, table store.Scanner) {
		for _, id := range []string{root, alone, grandchild} {
			w.erased(table, id)
			if n := w.times(ledger.Delete, id); n != 1 {
				w.t.Errorf("%d deletes of %s", n, id)
			}
		}
		if m := w.memory(both); m.Status != memory.Active || len(m.Cites()) != 0 || w.times(ledger.Update, both) != 1 {
			w.t.Errorf("%+v, %d updates", m, w.times(ledger.Update, both))
		}
	})
}
