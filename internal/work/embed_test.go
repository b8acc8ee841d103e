package work_test

import (
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store/keys"
)

// deferring makes worlds whose workspaces embed after the answer.
func deferring(w *world) *world { w.settings.DeferEmbedding = true; return w }

func (w *world) vector(id string) memory.Vector {
	w.t.Helper()
	list, err := memory.LoadVectors(w.t.Context(), w.store, scope, []string{id}, w.profile())
	if err != nil {
		w.t.Fatal(err)
	}
	return list[0]
}

func (w *world) embed(job string) {
	w.t.Helper()
	if err := w.embedder().Run(w.t.Context(), scope, job); err != nil {
		w.t.Fatalf("embed: %v", err)
	}
}

func TestS056ADeferredVectorComesLater(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The lighthouse is white."))
	w.sync(scope)
	if w.hits("lighthouse")[id].HasVec || w.vector(id).Version != 0 {
		t.Fatal("a vector before the job ran")
	}
	w.embed(w.job().ID)
	if v := w.vector(id); v.Version != 1 || len(v.Values) != 64 {
		t.Errorf("vector %+v", v)
	}
	if !w.hits("lighthouse")[id].HasVec || len(w.jobs()) != 0 {
		t.Errorf("hit %+v, jobs %+v", w.hits("lighthouse")[id], w.jobs())
	}
	before := w.model.calls
	w.embed(id) // a doubled message: there is no such job any more
	if w.model.calls != before {
		t.Error("a job that is done ran again")
	}
}

func TestT20AVectorIsWrittenForTheTextItWasMadeOfOnly(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The ferry leaves at nine."))
	first := w.job().ID
	w.model.before = func() {
		w.model.before = nil
		w.update(id, "The ferry leaves at ten.")
	}
	w.embed(first)
	if v := w.vector(id); v.Version != 0 {
		t.Fatalf("the vector of an earlier text was written: version %d", v.Version)
	}
	w.embed(w.job().ID)
	if v := w.vector(id); v.Version != 2 || len(w.jobs()) != 0 {
		t.Fatalf("version %d, jobs %+v", v.Version, w.jobs())
	}
}

// A change that leaves the text alone brings no job of its own.
func TestT20AVectorOutlivesAChangeOfTheRowAlone(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The ferry leaves at nine."))
	w.model.before = func() {
		w.model.before = nil
		w.add(fact("the ferry leaves at NINE.")) // joins it
	}
	w.embed(w.job().ID)
	if w.memory(id).MergeCount != 1 || w.vector(id).Version != 1 || len(w.jobs()) != 0 {
		t.Fatalf("%d merges, vector of version %d, jobs %+v", w.memory(id).MergeCount, w.vector(id).Version, w.jobs())
	}
}

// The text is deleted and erased while the model reads it: no vector may be left.
func TestT24AVectorOfAnErasedTextIsNotWritten(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The ferry leaves at nine."))
	w.model.before = func() {
		w.model.before = nil
		w.delete(id, false)
		for _, j := range w.jobs() {
			if j.Kind == outbox.Erase {
				if err := w.eraser().Run(t.Context(), scope, j.ID); err != nil {
					t.Error(err)
				}
			}
		}
	}
	w.embed(w.job().ID)
	if _, found := w.get(keys.MemoryVector(scope, id, w.profile())); found {
		t.Error("a vector of an erased text")
	}
	if len(w.hits("ferry")) != 0 || len(w.jobs()) != 0 {
		t.Errorf("hits %v, jobs %+v", w.hits("ferry"), w.jobs())
	}
}

func TestS019TextInQuarantineIsNotShownToTheModel(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The ferry leaves at nine."))
	w.update(id, hostile)
	w.model.calls = 0
	w.runJobs()
	if w.model.calls != 0 || w.vector(id).Version != 0 || len(w.jobs()) != 0 {
		t.Fatalf("%d calls, vector of version %d, jobs %+v", w.model.calls, w.vector(id).Version, w.jobs())
	}
	r := memory.Ruling{ID: id, Verdict: memory.Release}
	if _, err := w.memories.Review(t.Context(), w.target(scope, admin), r); err != nil {
		t.Fatal(err)
	}
	w.runJobs()
	if w.vector(id).Version != 2 {
		t.Error("no vector after the release")
	}
}

func TestT20AModelThatIsDownIsTriedAgainThenDeadAndVisible(t *testing.T) {
	w := deferring(newWorld(t))
	down := w.add(fact("The ferry leaves at nine."))
	dead := w.job()
	w.model.down = true
	for n := 1; n <= outbox.Tries; n++ {
		w.embed(dead.ID)
		if j := w.job(); j.Attempts != n {
			t.Fatalf("%d attempts after try %d", j.Attempts, n)
		}
		w.clock.Advance(time.Hour)
	}
	if j := w.job(); j.State != outbox.Dead || j.LastError == "" {
		t.Fatalf("%+v", j)
	}
	if n := len(w.sent.all); n != outbox.Tries-1 {
		t.Errorf("%d messages for later tries, want %d", n, outbox.Tries-1)
	}
	receipt, err := w.memories.Operation(t.Context(), w.target(scope, agent), dead.ID)
	if err != nil || receipt.Status != memory.IngestionFailed || receipt.Effects[0].State != memory.EffectDead {
		t.Errorf("receipt %+v, %v", receipt, err)
	}
	w.model.down = false
	next := w.add(fact("The pier has a clock.")) // the dead one holds up no other
	w.runJobs()
	if w.vector(next).Version != 1 || w.vector(down).Version != 0 {
		t.Errorf("vectors of versions %d and %d", w.vector(next).Version, w.vector(down).Version)
	}
	w.redrive(dead)
	w.runJobs()
	if w.vector(down).Version != 1 || len(w.jobs()) != 0 {
		t.Errorf("driven again: version %d, jobs %+v", w.vector(down).Version, w.jobs())
	}
}

func TestT20AFaultAtEveryStoreCallOfAnEmbedJob(t *testing.T) {
	for at := 1; ; at++ {
		w, faults := newFaultyWorld(t)
		deferring(w)
		id := w.add(fact("The lighthouse is white."))
		w.sync(scope)
		job := w.job().ID
		if !faults.armed(at, func() { _ = w.embedder().Run(t.Context(), scope, job) }) {
			break
		}
		w.runJobs()
		if w.vector(id).Version != 1 || !w.hits("lighthouse")[id].HasVec || len(w.jobs()) != 0 {
			t.Errorf("call %d: version %d, hit %+v, jobs %+v", at, w.vector(id).Version, w.hits("lighthouse")[id], w.jobs())
		}
	}
}

func TestT20AnIndexThatIsDownLeavesTheJob(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The lighthouse is white."))
	w.sync(scope)
	w.index.apply = errAway
	w.embed(w.job().ID)
	if j := w.job(); j.State != outbox.Failed {
		t.Fatalf("%+v", j)
	}
	w.index.apply = nil
	w.runJobs()
	if !w.hits("lighthouse")[id].HasVec || len(w.jobs()) != 0 {
		t.Error("the vector did not reach the index")
	}
}
