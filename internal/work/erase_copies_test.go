package work_test

import (
	"fmt"
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// shareWith shares a memory with the other workspace.
func (w *world) shareWith(id string) string {
	w.t.Helper()
	w.clock.Advance(time.Second)
	there := w.target(other, admin)
	out, err := w.memories.Share(w.t.Context(), w.target(scope, admin), memory.Sharing{ID: id, Destination: &there})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.ID
}

// there reads a memory of the other workspace.
func (w *world) there(id string) *memory.Memory {
	w.t.Helper()
	m, err := memory.Head(w.t.Context(), w.store, other, id)
	if err != nil || m == nil {
		w.t.Fatal(m, err)
	}
	return m
}

func TestR080ACascadeFindsCopiesInOtherWorkspaces(t *testing.T) {
	for _, cascade := range []bool{true, false} {
		w := newWorld(t)
		id := w.add(fact("The " + canary + " is low."))
		copied := w.shareWith(id)
		w.delete(id, cascade)
		w.runJobs()
		if gone := w.there(copied).IsDeleted(); gone != cascade {
			t.Errorf("cascade %v: the copy is gone: %v", cascade, gone)
		}
		if !cascade {
			continue
		}
		jobs, _, err := w.runner.List(t.Context(), other, "", 10, "")
		if err != nil || len(jobs) != 1 {
			t.Fatal(jobs, err)
		}
		if err := w.eraser().Run(t.Context(), other, jobs[0].ID); err != nil {
			t.Fatal(err)
		}
		if left := w.copies(w.store.(store.Scanner), canary); len(left) > 0 {
			t.Errorf("copies left: %v", left)
		}
	}
}

func TestR080ErasingACopyTakesTheEdgeFromItsSource(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The " + canary + " is low."))
	copied := w.shareWith(id)
	edge := keys.Derived(scope, id, copied)
	if _, found := w.get(edge); !found {
		t.Fatal("no edge")
	}
	if _, err := w.memories.Delete(t.Context(), w.target(other, admin), memory.Removal{ID: copied}); err != nil {
		t.Fatal(err)
	}
	jobs, _, err := w.runner.List(t.Context(), other, "", 10, "")
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	if err := w.eraser().Run(t.Context(), other, jobs[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, found := w.get(edge); found || w.memory(id).Status != memory.Active {
		t.Error("the edge to the erased copy is left, or the source is gone")
	}
}

func TestA02AnErasureTakesTheChainsEdgesAtBothEnds(t *testing.T) {
	w := newWorld(t)
	var ids []string
	for n := range 3 {
		d := fact(fmt.Sprint("The ", canary, " is at ", n, "."))
		attribute := "level"
		d.Attribute = &attribute
		ids = append(ids, w.add(d))
	}
	before, after := keys.Superseded(scope, ids[1], ids[0]), keys.Superseded(scope, ids[2], ids[1])
	for _, edge := range []store.Key{before, after} {
		if _, found := w.get(edge); !found {
			t.Fatal("no chain")
		}
	}
	w.delete(ids[1], false)
	w.runJobs()
	for _, edge := range []store.Key{before, after} {
		if _, found := w.get(edge); found {
			t.Errorf("%v is left", edge)
		}
	}
}
