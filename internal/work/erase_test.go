package work_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/erasure"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// canary stands in every text that an erasure must leave no copy of.
const canary = "quokkatide"

// victim is a memory with a copy of every kind: versions, vector, index document,
// look-up rows, evidence in and out, idempotency records.
func (w *world) victim() string {
	w.t.Helper()
	root := w.add(fact("The tide table hangs in the harbour office."))
	d := fact("The "+canary+" is low.", ofUser("ida"), ofAttribute(canary), inRun("run-"+canary), citing(derivedFrom(root)))
	d.Tags = map[string]string{"where": canary}
	id := w.addTo(w.keyed(agent, "made"), d).ID
	w.clock.Advance(time.Second)
	for i, text := range []string{"The " + canary + " is high.", "The " + canary + " is at noon."} {
		r := memory.Revision{ID: id, Content: text, Subject: memory.Subject{UserID: "ida"}}
		if _, err := w.memories.Update(w.t.Context(), w.keyed(agent, fmt.Sprint("changed", i)), r); err != nil {
			w.t.Fatal(err)
		}
	}
	return id
}

func (w *world) erasure(id string) memory.Erasure {
	w.t.Helper()
	e, found, err := erasure.Read(w.t.Context(), w.store, scope, id)
	if err != nil || !found {
		w.t.Fatalf("erasure of %s: %v, %v", id, found, err)
	}
	return e
}

// erased holds that nothing is left of a memory but its tombstone.
func (w *world) erased(s store.Scanner, id string) {
	w.t.Helper()
	if left := w.copies(s, canary); len(left) > 0 {
		w.t.Errorf("copies left: %v", left)
	}
	parts, err := memory.LoadParts(w.t.Context(), w.store, scope, id)
	if err != nil || len(parts.Versions)+len(parts.Vectors)+len(parts.Edges) > 0 {
		w.t.Errorf("rows left: %+v, %v", parts, err)
	}
	if m := w.memory(id); !m.IsDeleted() || len(m.Salt) > 0 {
		w.t.Errorf("tombstone %+v", m)
	}
	w.unindexed(id)
	if e := w.erasure(id); e.Status != memory.ErasureComplete || e.ErasedAt == nil {
		w.t.Errorf("erasure %+v", e)
	}
	if n := w.times(ledger.Erase, id); n != 1 {
		w.t.Errorf("%d erasure receipts", n)
	}
	w.verified()
}

// unindexed holds that no document of any of a memory's texts is in the index.
func (w *world) unindexed(id string) {
	w.t.Helper()
	for _, at := range []tenant.Scope{scope, scope.Own()} {
		for _, doc := range append(w.memory(id).PastIDs(), id) {
			for _, partition := range []tenant.Scope{at, at.Past()} {
				if has, err := w.index.Index.Has(w.t.Context(), partition, doc); has || err != nil {
					w.t.Errorf("%s in the index %v: %v, %v", doc, partition, has, err)
				}
			}
		}
	}
}

func TestT24EraseTakesEveryCopyStepByStep(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.sync(scope)
	table := w.store.(store.Scanner)
	if len(w.copies(table, canary)) < 4 || w.hits(canary)[id].ID == "" || len(w.hits(canary, scope.Past())) != 2 {
		t.Fatalf("the victim has too few copies to show anything: %v", w.copies(table, canary))
	}
	w.delete(id, false)
	if _, err := w.memories.Get(t.Context(), w.target(scope, admin), id, memory.Subject{UserID: "ida"}); !errs.Is(err, errs.NotFound) {
		t.Errorf("from the answer on: %v", err)
	}
	if e := w.erasure(id); e.Status != memory.ErasurePending || e.ErasedAt != nil {
		t.Errorf("erasure %+v", e)
	}
	w.runJobs()
	w.erased(table, id)
	if got := w.steps(id); !slices.Equal(got, victimSteps) {
		t.Errorf("steps %q, want %q", got, victimSteps)
	}
	rows := w.rows()
	if last := rows[len(rows)-1]; last.Kind != ledger.ErasureReceipt || last.Actor != ledger.Service() || last.Entry.Commitment != nil {
		t.Errorf("receipt %+v", last)
	}
	for _, key := range []string{"made", "changed0", "changed1"} {
		item, found := w.get(keys.Idempotency(scope, w.keyed(agent, key).Key.Hash))
		if r := idem.FromItem(item); !found || !r.Erased || len(r.Result) > 0 || r.Request == "" {
			t.Errorf("what the key %s remembers: %v, %+v", key, found, r)
		}
	}
	if e := w.erasure(id); e.Attempts != 1 || e.ErasedAt.Before(e.RequestedAt) {
		t.Errorf("erasure %+v", e)
	}
}

// steps are the rows that an erasure leaves: each kind of copy with its count.
func (w *world) steps(id string) []string {
	w.t.Helper()
	var out []string
	for n := range 12 {
		if item, found := w.get(keys.ErasureStep(scope, id, n)); found {
			out = append(out, fmt.Sprint(item.Attrs.Text("name"), " ", item.Attrs.Int("n")))
		}
	}
	return out
}

// victimSteps are those of the victim.
var victimSteps = []string{"idempotency 3", "derived 0", "versions 2", "vectors 1", "edges 1", "index 3", "suggestions 0", "staged 0", "canary 0"}

func TestT24ATryThatBreaksOffLosesNoCount(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.sync(scope)
	w.delete(id, false)
	w.index.apply = errAway
	if err := w.eraser().Run(t.Context(), scope, w.job().ID); err != nil {
		t.Fatal(err)
	}
	if e := w.erasure(id); e.Status != memory.ErasurePending || e.Attempts != 1 {
		t.Errorf("after the first try: %+v", e)
	}
	w.index.apply = nil
	w.runJobs()
	w.erased(w.store.(store.Scanner), id)
	if got := w.steps(id); !slices.Equal(got, victimSteps) {
		t.Errorf("steps %q, want %q", got, victimSteps)
	}
}

func TestT24EveryKindOfMemoryIsErased(t *testing.T) {
	for name, d := range map[string]memory.Draft{
		"in quarantine":        fact(hostile + " " + canary),
		"a pointer":            fact("The plan of the "+canary+".", pointing("s3://plans/"+canary)),
		"of the tenant":        fact("Nobody dives at the "+canary+".", inLayer("Tenant")),
		"a floor":              {Layer: "Tenant", Type: "policy", NonNegotiable: true, Content: "Mind the " + canary + "."},
		"of a session":         fact("The "+canary+" is low.", inLayer("Session"), inRun("r1")),
		"superseded":           fact("The "+canary+" is low.", ofAttribute("level")),
		"not embedded":         fact("…" + canary),
		"bound to one subject": fact("The "+canary+" is low.", ofUser("ida")),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.add(d)
			if d.Attribute != nil {
				w.add(fact("The level is high.", ofAttribute("level")))
			}
			w.sync(scope)
			w.delete(id, false)
			w.runJobs()
			w.erased(w.store.(store.Scanner), id)
		})
	}
}

func TestT24ManyVersionsAreErasedInSeveralCommits(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The " + canary + " stands at zero."))
	for n := range 200 {
		w.update(id, fmt.Sprintf("The %s stands at %d.", canary, n))
	}
	w.sync(scope)
	if n := w.count(scope.Past()); n != 200 {
		t.Errorf("%d documents of earlier texts", n)
	}
	w.delete(id, false)
	w.runJobs()
	w.erased(w.store.(store.Scanner), id)
	for step, want := range map[int]int64{2: 200, 5: 201} {
		if item, _ := w.get(keys.ErasureStep(scope, id, step)); item.Attrs.Int("n") != want {
			t.Errorf("step %s counted %d", item.Attrs.Text("name"), item.Attrs.Int("n"))
		}
	}
}

func TestR079ReplaysAfterAnErasureAnswerIdsAndStoreNothing(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.delete(id, false)
	w.runJobs()
	before := len(w.rows())
	again := w.addTo(w.keyed(agent, "made"), fact("The "+canary+" is low."))
	if again.ID != id || !again.Replayed || !again.Erased || again.Merged {
		t.Errorf("replayed append %+v", again)
	}
	r := memory.Revision{ID: id, Content: "The " + canary + " is high.", Subject: memory.Subject{UserID: "ida"}}
	if _, err := w.memories.Update(t.Context(), w.keyed(agent, "changed0"), r); !errs.Is(err, errs.NotFound) {
		t.Errorf("replayed update: %v", err)
	}
	if len(w.rows()) != before {
		t.Errorf("%d new log rows", len(w.rows())-before)
	}
	w.erased(w.store.(store.Scanner), id)
}
