package work_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ids"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// currentAt holds for the texts that were current at an instant.
func currentAt(at time.Time) search.Filter {
	after := at.Add(time.Microsecond)
	return search.Filter{All: []search.Filter{
		{Time: memory.TimeSince, Before: after},
		{Any: []search.Filter{{Time: memory.TimeUntil, Missing: true}, {Time: memory.TimeUntil, Since: after}}},
	}}
}

var pasts = []tenant.Scope{scope.Past(), scope.Own().Past()}

// found asks both arms and answers the hits as item.version, sorted.
func (w *world) found(text string, f search.Filter, scopes ...tenant.Scope) []string {
	w.t.Helper()
	vectors, err := w.model.Embedder.Embed(w.t.Context(), []string{text})
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]bool{}
	for _, q := range []search.Query{{Text: text, Lexical: 500}, {Vector: vectors[0], Profile: w.profile(), Semantic: 500}} {
		q.Scopes, q.Filter = scopes, f
		answer, err := w.index.Search(w.t.Context(), q)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, h := range answer.Hits {
			out[fmt.Sprint(h.Item, ".", h.Version)] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// wantPast holds which earlier texts a workspace's partitions have.
func (w *world) wantPast(text string, f search.Filter, want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.found(text, f, pasts...); !slices.Equal(got, want) {
		w.t.Errorf("earlier texts %q, want %q", got, want)
	}
}

func TestR073EarlierTextsHaveDocumentsOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The ferry leaves at nine.", inRun("r"), ofUser("ida")))
	w.add(fact("The ferry has a bell.", inRun("r"), ofUser("ida")))
	began := w.clock.Now()
	r := memory.Revision{ID: id, Content: "The ferry leaves at ten.", Subject: memory.Subject{UserID: "ida"}}
	w.clock.Advance(time.Second)
	if _, err := w.memories.Update(t.Context(), w.target(scope, agent), r); err != nil {
		t.Fatal(err)
	}
	w.sync(scope)
	hit, there := w.hits("ferry nine", scope.Past())[memory.PastID(id, 1)]
	if !there || hit.Item != id || hit.Version != 1 || hit.Lexical == 0 || !hit.HasVec {
		t.Errorf("%+v", hit)
	}
	w.wantPast("ferry", currentAt(began), id+".1")
	w.wantPast("ferry", currentAt(w.clock.Now()))
	w.wantPast("ferry", search.Filter{Field: memory.FieldUser, In: []string{"ida"}}, id+".1")
	if got := w.found("ferry nine", search.Filter{}, scope, scope.Own()); len(got) != 2 || !slices.Contains(got, id+".2") {
		t.Errorf("current texts %q", got)
	}
}

func TestR073EarlierTextsAreInNoNumberOfTheCurrentOnes(t *testing.T) {
	w := deferring(newWorld(t))
	id := w.add(fact("The ferry leaves at nine."))
	w.sync(scope)
	w.settings.DeferEmbedding = false
	ask := func() search.Answer {
		answer, err := w.index.Search(t.Context(), search.Query{Scopes: []tenant.Scope{scope, scope.Own()}, Text: "ferry nine ten", Lexical: 9,
			Semantic: 9, Vector: make([]float32, 64), Profile: w.profile(), Tallies: []search.Tally{{Over: true}}})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if before := ask(); before.Unembedded != 1 || before.Tallies[0] != 1 {
		t.Fatalf("%+v", before)
	}
	w.update(id, "The ferry leaves at ten.")
	w.sync(scope)
	w.wantPast("nine", search.Filter{}, id+".1")
	after := ask()
	if s := after.Stats; s.Documents != 1 || s.DF["nine"] != 0 || s.DF["ten"] != 1 || s.DF["ferri"] != 1 || after.Unembedded != 0 || after.Tallies[0] != 1 {
		t.Errorf("%+v", after)
	}
}

// What a memory is today shows in the documents of all its texts.
func TestR073EarlierTextsFollowTheMemory(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The gauge reads one.", ofAttribute("gauge")))
	w.update(id, "The gauge reads two.")
	w.update(id, "All of the gauges read three.")
	w.sync(scope)
	both := []string{id + ".1", id + ".2"}
	w.wantPast("gauge", search.Filter{}, both...)

	twin := fact("All of the gauges read three.", ofAttribute("gauge"))
	twin.Tags = map[string]string{"quay": "north"}
	if got := w.add(twin); got != id {
		t.Fatal("no merge")
	}
	w.sync(scope)
	w.wantPast("gauge", search.Filter{Field: memory.FieldTag, In: []string{memory.TagTerm("quay", "north")}}, both...)

	w.add(fact("The gauge reads seven.", ofAttribute("gauge")))
	w.sync(scope)
	w.wantPast("gauge", search.Filter{Field: memory.FieldStatus, In: []string{"superseded"}, Time: memory.TimeSuperseded}, both...)
	w.wantPast("gauge", search.Filter{Field: memory.FieldStatus, In: []string{"active"}})

	w.update(id, "The gauge reads four, once.")
	w.sync(scope)
	w.wantPast("gauge", search.Filter{Field: memory.FieldStatus, In: []string{"superseded"}}, append(both, id+".3")...)
	w.delete(id, false)
	w.sync(scope)
	w.wantPast("gauge", search.Filter{})
	w.unindexed(id)
}

func TestS019WhatIsHeldHasNoDocumentsAndWhatNeverWasShownNeverHas(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The gauge reads one."))
	w.update(id, "The gauge reads two.")
	w.sync(scope)
	w.update(id, hostile)
	w.sync(scope)
	w.unindexed(id)
	w.updateBy(admin, id, "The gauge reads three.")
	w.release(id)
	w.update(id, "The gauge reads four.")
	w.sync(scope)
	w.wantPast("gauge reads instructions prompt", search.Filter{}, id+".1", id+".2", id+".4")
}

// applied counts what was applied to a partition.
func (x *index) applied(s tenant.Scope) int {
	n := 0
	for _, op := range x.seen {
		if op.Document.Scope == s {
			n++
		}
	}
	return n
}

// An update writes the text that it replaced, not all that came before.
func TestAnUpdateWritesOneEarlierText(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The gauge reads 0."))
	for n := range 40 {
		w.sync(scope)
		w.update(id, fmt.Sprintf("The gauge reads %d.", n+1))
	}
	w.sync(scope)
	if n := w.index.applied(scope.Past()); n != 40 || w.count(scope.Past()) != 40 {
		t.Errorf("%d writes for %d earlier texts", n, w.count(scope.Past()))
	}
	if err := w.indexer.Refresh(t.Context(), scope, memory.Family, []string{id}); err != nil || w.index.applied(scope.Past()) != 40 {
		t.Errorf("a vector that came late wrote earlier texts: %v", err)
	}
}

// Rows are read a page at a time, items as they are now: a row's own earlier text is
// written whatever has come after it.
func TestABacklogOfUpdatesWritesEveryEarlierText(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The gauge reads 0."))
	w.sync(scope)
	for n := range 510 {
		w.update(id, fmt.Sprintf("The gauge reads %d.", n+1))
	}
	w.sync(scope)
	if n := w.count(scope.Past()); n != 510 {
		t.Errorf("%d earlier texts", n)
	}
	if n := w.index.applied(scope.Past()); n > 530 {
		t.Errorf("%d writes", n)
	}
}

func TestT20AFaultAtEveryStoreCallOfASyncLosesNoEarlierText(t *testing.T) {
	for at := 1; ; at++ {
		w, faults := newFaultyWorld(t)
		kept, gone := w.add(fact("The gauge reads one.")), w.add(fact("The gauge is brass."))
		w.update(gone, "The gauge is steel.")
		w.sync(scope)
		w.update(kept, "The gauge reads two.")
		w.delete(gone, false)
		if !faults.armed(at, func() { _ = w.indexer.Sync(t.Context(), scope) }) {
			break
		}
		w.sync(scope)
		w.wantPast("gauge", search.Filter{}, kept+".1")
		w.unindexed(gone)
	}
}

func TestAnEarlierTextWithoutItsMemoryIsNotRebuilt(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The gauge reads one."))
	w.update(id, "The gauge reads two.")
	w.add(fact("The gauge is brass."))
	row, found := w.get(keys.MemoryVersion(scope, id, 1))
	if !found {
		t.Fatal("no earlier text")
	}
	w.clock.Advance(time.Second)
	row.Key = keys.MemoryVersion(scope, ids.NewSource(w.clock.Now, nil).New(), 1) // behind the last memory
	w.put(row)
	fresh := &index{Index: memsearch.New(w.clock)}
	w.rebuild(fresh, work.NewMemoryCursors())
	w.index = fresh
	w.wantPast("gauge", search.Filter{}, id+".1")
}

// history is a naive model of what the index must know.
type history struct {
	*world
	things map[string]*thing
	texts  int
}

type thing struct {
	past          []span
	since         time.Time
	held, deleted bool
}

// span is an earlier text: current from, and no longer to.
type span struct {
	from, to time.Time
	held     bool
}

// step does something and notes it.
func (h *history) step(g *randomness) {
	id := g.one(h.things)
	x := h.things[id]
	switch n := g.IntN(10); {
	case x == nil || n < 3:
		h.create(g)
	case x.deleted:
	case n < 7:
		h.change(id, x, h.text())
	case n == 7:
		h.change(id, x, hostile+fmt.Sprint(" ", h.texts))
		x.held = true
	case n == 8 && x.held:
		h.release(id)
		x.held = false
	case n == 9:
		h.delete(id, false)
		x.deleted = true
	}
}

func (h *history) text() string {
	h.texts++
	return fmt.Sprintf("The buoy shows %d.", h.texts)
}

func (h *history) create(g *randomness) {
	d := fact(h.text())
	switch g.IntN(3) {
	case 0:
		d.Layer = "Tenant"
	case 1:
		d.Attribute = ptr(fmt.Sprint("light", g.IntN(2)))
	}
	h.things[h.add(d)] = &thing{since: h.clock.Now()}
}

func (h *history) change(id string, x *thing, text string) {
	h.updateBy(admin, id, text)
	x.past = append(x.past, span{x.since, h.clock.Now(), x.held})
	x.since = h.clock.Now()
}

// want are the earlier texts that were current at an instant.
func (h *history) want(at time.Time) []string {
	var out []string
	for id, x := range h.things {
		for i, s := range x.past {
			if !x.held && !x.deleted && !s.held && !s.from.After(at) && at.Before(s.to) {
				out = append(out, fmt.Sprint(id, ".", i+1))
			}
		}
	}
	slices.Sort(out)
	return out
}

// check asks at random instants, and holds the current partitions against what is
// there now.
func (h *history) check(g *randomness) {
	h.t.Helper()
	for range 12 {
		at := start.Add(time.Duration(g.IntN(int(h.clock.Now().Sub(start))/1000+1000)) * time.Microsecond)
		h.wantPast("buoy", currentAt(at), h.want(at)...)
	}
	for _, x := range h.things { // the very edges
		for _, s := range x.past {
			h.wantPast("buoy", currentAt(s.from), h.want(s.from)...)
		}
	}
	var now []string
	for id, x := range h.things {
		if !x.held && !x.deleted {
			now = append(now, fmt.Sprint(id, ".", len(x.past)+1))
		}
	}
	slices.Sort(now)
	if got := h.found("buoy", search.Filter{}, scope, scope.Own()); !slices.Equal(got, now) {
		h.t.Errorf("current texts %q, want %q", got, now)
	}
	if n := h.count(scope) + h.count(scope.Own()); n != len(now) {
		h.t.Errorf("%d current documents, want %d", n, len(now))
	}
}

func TestR073RandomHistoriesAgreeWithTheNaiveModel(t *testing.T) {
	for seed := range uint64(6) {
		h := &history{world: newWorld(t), things: map[string]*thing{}}
		g := newRandomness(seed)
		for range 6 {
			for range 12 {
				h.step(g)
				h.clock.Advance(time.Duration(g.IntN(3)) * time.Minute)
				if g.IntN(4) == 0 {
					h.sync(scope)
				}
			}
			h.sync(scope)
			h.check(g)
		}
		fresh := &index{Index: memsearch.New(clock.NewFixed(start))}
		h.rebuild(fresh, work.NewMemoryCursors())
		h.index = fresh
		h.check(g)
		for id, x := range h.things {
			if x.deleted {
				h.unindexed(id)
			}
		}
	}
}
