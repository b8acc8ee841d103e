package work_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

func TestR045AnErasureIsDeadAfterItsTriesAndDeletingAgainResumesIt(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.sync(scope)
	w.index.keeps = true
	w.delete(id, false)
	w.runJobs()
	if e := w.erasure(id); e.Status != memory.ErasureDead || e.Attempts != outbox.Tries || e.ErasedAt != nil {
		t.Fatalf("%+v", e)
	}
	if j := w.job(); j.State != outbox.Dead || j.LastError == "" || strings.Contains(j.LastError, canary) {
		t.Fatalf("%+v", j)
	}
	told, err := w.memories.Erasure(t.Context(), w.target(scope, admin), id, memory.Subject{UserID: "ida"})
	if err != nil || told.Status != memory.ErasureDead {
		t.Errorf("%+v, %v", told, err)
	}
	w.index.keeps = false
	w.delete(id, false) // R0.84
	if e := w.erasure(id); e.Status != memory.ErasurePending {
		t.Errorf("resumed: %+v", e)
	}
	if j := w.job(); j.State != outbox.Pending {
		t.Errorf("the job that took the dead one's place: %+v", j)
	}
	w.runJobs()
	w.erased(w.store.(store.Scanner), id)
	r := memory.Removal{ID: id, Subject: memory.Subject{UserID: "ida"}}
	if _, err := w.memories.Delete(t.Context(), w.target(scope, admin), r); !errs.Is(err, errs.NotFound) {
		t.Errorf("deleted once more: %v", err)
	}
}

// Whichever document of whichever text is left, the erasure is not complete.
func TestT24ADocumentThatIsLeftKeepsTheErasureOpen(t *testing.T) {
	for _, at := range []tenant.Scope{scope, scope.Own()} {
		for version := range int64(3) {
			w := newWorld(t)
			id := w.victim()
			w.sync(scope)
			w.delete(id, false)
			w.index.kept = searchDocument{Scope: at.Past(), ID: memory.PastID(id, version)}
			if version == 0 { // the current text's
				w.index.kept = searchDocument{Scope: at, ID: id}
			}
			w.runJobs()
			if e := w.erasure(id); e.Status != memory.ErasureDead {
				t.Errorf("%+v is left, the erasure is %s", w.index.kept, e.Status)
			}
		}
	}
}

func TestT20ADeadErasureJobCanBeDrivenAgain(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.index.keeps = true
	w.delete(id, false)
	w.runJobs()
	w.index.keeps = false
	w.redrive(w.job())
	w.runJobs()
	if left := w.jobs(); len(left) > 0 {
		t.Errorf("jobs %+v", left)
	}
	w.erased(w.store.(store.Scanner), id)
}

func TestT20AnEraseJobOfWhatIsNotDeletedDoesNothing(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The lighthouse is white."))
	for i, item := range []string{id, "0192f0c1-0000-7000-8000-0000000000ff"} {
		job := outbox.Job{ID: fmt.Sprint("j", i), Kind: outbox.Erase, Scope: scope, ItemID: item, State: outbox.Pending, DueAt: start}
		action, err := job.Put("job")
		if err != nil {
			t.Fatal(err)
		}
		w.put(action.Item)
		w.runJobs()
	}
	if len(w.jobs()) != 0 || w.memory(id).Content == "" || len(w.rows()) != 1 {
		t.Errorf("jobs %+v, %d rows", w.jobs(), len(w.rows()))
	}
}

// Whichever way a dead erasure is taken up again, it does all its steps.
func TestR084ADeadErasureOfASessionEntryIsTakenUpAgain(t *testing.T) {
	for name, again := range map[string]func(w *world, id string){
		"deleted again": func(w *world, id string) { w.delete(id, false) },
		"driven again":  func(w *world, _ string) { w.redrive(w.deadErasure()) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			entries := w.deadStretch()
			w.stuck = true
			w.delete(entries[0], false)
			w.runJobs()
			e := w.erasure(entries[0])
			if e.Status != memory.ErasureDead || len(e.Rows) == 0 {
				t.Fatalf("%+v", e)
			}
			if got := w.steps(entries[0]); slices.Contains(got, "staged 0") || !slices.Contains(got, "index 1") {
				t.Errorf("steps %q", got)
			}
			w.stuck = false
			again(w, entries[0])
			w.runJobs()
			w.complete(entries[0])
			w.nowhere("at the end")
			if got := w.steps(entries[0]); !slices.Contains(got, "staged 1") || !slices.Contains(got, "canary 0") {
				t.Errorf("steps %q", got)
			}
			if left := w.eraseJob(); left != "" || len(w.lookUps(entries[0])) == 0 {
				t.Errorf("jobs %+v", w.jobs())
			}
		})
	}
}

func (w *world) deadErasure() outbox.Job {
	w.t.Helper()
	for _, job := range w.jobs() {
		if job.Kind == outbox.Erase && job.State == outbox.Dead {
			return job
		}
	}
	w.t.Fatal("no erasure is dead")
	return outbox.Job{}
}
