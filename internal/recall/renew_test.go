package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

// meanwhile has something happen between the reading of the log and the index's answer,
// once.
func (w *world) meanwhile(happens func()) {
	w.index.before = func(context.Context) {
		w.index.before = nil
		happens()
	}
}

func (w *world) updateIn(s tenant.Scope, id, text string) {
	w.t.Helper()
	if _, err := w.Memories.Update(w.t.Context(), w.target(s), memory.Revision{ID: id, Content: text}); err != nil {
		w.t.Fatalf("update: %v", err)
	}
}

// What is changed while a retrieve runs is a matter of its new text.
func TestA03AMemoryThatChangesMeanwhileIsThereAsItIsNow(t *testing.T) {
	for _, mode := range modes {
		for text, matches := range map[string]bool{
			"The harbour pilot is Pavel.": true, "The keel is oak.": mode.semantic(), // by meaning a text is found as it stands
			hostile + " harbour pilot": false,
		} {
			w := newWorld(t)
			kept, id := w.add("The harbour pilot lives at the mole."), w.add("The harbour pilot is Olga.", inRun("r1"))
			w.sync(here)
			w.meanwhile(func() { w.update(id, text) })
			c := w.ask("harbour pilot", in(mode), explained)
			if got := c.text(id); matches && got != text || !matches && got != "" || c.text(kept) == "" {
				t.Errorf("%s: %q after a change to %q", mode, got, text)
			}
			if got := w.journal.last(t).Items; matches != slices.ContainsFunc(got, func(i ledger.Item) bool { return i.ID == id && i.Version == 2 }) {
				t.Errorf("%s: receipt of %+v", mode, got)
			}
			w.sync(here)
			if later := w.ask("harbour pilot", in(mode)); later.text(id) != c.text(id) {
				t.Errorf("%s: %q, in the index %q", mode, c.text(id), later.text(id))
			}
		}
	}
}

// However many changed, they are read together; a read that fails is told.
func TestWhatChangedMeanwhileCostsFewRoundTrips(t *testing.T) {
	for _, n := range []int{0, 1, 40} {
		w := newWorld(t)
		var ids []string
		for i := range 40 {
			ids = append(ids, w.add(fmt.Sprintf("Ferry %d.", i), alone))
		}
		w.sync(here)
		for _, id := range ids[:n] {
			w.update(id, "Ferry, and a bell of "+id)
		}
		w.reached()
		s := &trips{Store: w.Store}
		w.Store, w.Memories.Store = s, s
		w.ask("ferry", most(2))
		if want := 3 + min(n, 1); s.n != want { // head of the log, floors, entries; vectors
			t.Errorf("%d changed: %d reads, want %d", n, s.n, want)
		}
		for fail, all := 1, s.n; fail <= all; fail++ {
			s.n, s.fail = 0, fail
			if _, err := w.Retrieve(t.Context(), question("ferry")); !errs.Is(err, errs.Unavailable) {
				t.Errorf("read %d: %v", fail, err)
			}
		}
	}
}

// What goes meanwhile is not there, with a new text or without.
func TestS019WhatGoesMeanwhileIsNotThere(t *testing.T) {
	for name, change := range map[string]func(w *world, id string){
		"deleted": func(w *world, id string) { w.delete(here, id) },
		"deleted after a change": func(w *world, id string) {
			w.update(id, "The harbour pilot is Pavel.")
			w.delete(here, id)
		},
		"erased": func(w *world, id string) {
			w.update(id, "The harbour pilot is Pavel.")
			w.erase(here, id)
		},
		"superseded": func(w *world, id string) { w.add("The keeper is Pavel.", ofAttribute("pilot")) },
		"superseded after a change": func(w *world, id string) {
			w.update(id, "The harbour pilot is Pavel.")
			w.add("The keeper is Pavel.", ofAttribute("pilot"))
		},
		"held": func(w *world, id string) { w.update(id, hostile+" harbour pilot") },
	} {
		for _, mode := range modes {
			w := newWorld(t)
			kept, id := w.add("The harbour pilot lives at the mole."), w.add("The harbour pilot is Olga.", ofAttribute("pilot"))
			w.sync(here)
			w.meanwhile(func() { change(w, id) })
			if c := w.ask("harbour pilot", in(mode)); c.text(id) != "" || c.text(kept) == "" {
				t.Errorf("%s, %s: %v", name, mode, c.ids())
			}
		}
	}
}

// erase removes a memory's rows, as an erasure does in the end.
func (w *world) erase(s tenant.Scope, id string) {
	w.t.Helper()
	err := w.Store.Commit(w.t.Context(), store.Tx{Actions: []store.Action{
		store.DeleteItem("head", keys.Memory(s, id), nil),
		store.DeleteItem("vector", keys.MemoryVector(s, id, w.model.Profile().Name()), nil),
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

// A new text that has no vector yet is found by its words, and the answer says what
// was not compared.
func TestA04ATextThatChangedMeanwhileMayHaveNoVectorYet(t *testing.T) {
	for mode, want := range map[Mode]string{Hybrid: "The harbour pilot is Pavel.", Semantic: ""} {
		w := newWorld(t)
		id := w.add("The harbour pilot is Olga.")
		w.sync(here)
		vector := keys.MemoryVector(here, id, w.model.Profile().Name())
		w.meanwhile(func() {
			w.update(id, "The harbour pilot is Pavel.")
			if err := w.Store.Commit(t.Context(), store.Tx{Actions: []store.Action{store.DeleteItem("v", vector, nil)}}); err != nil {
				t.Fatal(err)
			}
		})
		c := w.ask("harbour pilot", in(mode))
		if arm := c.arm("semantic"); c.text(id) != want || arm.State != Degraded || !strings.HasSuffix(arm.Reason, ": 1") {
			t.Errorf("%s: %q, %+v", mode, c.text(id), arm)
		}
	}
}

// A tenant memory that its workspace corrected is there while the index lags, for all
// others too.
func TestR066ATenantMemoryThatASiblingChangedIsThereAsItIsNow(t *testing.T) {
	for _, mode := range modes {
		w := newWorld(t)
		shared := w.store(sibling, fact("Every ferry has a bell.", inLayer("Tenant"), inRun("r1")))
		w.store(sibling, fact("A ferry rope.", inRun("r1"))) // beside it, and nobody else's
		w.sync(sibling)
		w.updateIn(sibling, shared, "Every ferry has a horn.")
		c := w.ask("ferry", in(mode), explained)
		c.holds(t, shared)
		if got := c.text(shared); got != "Every ferry has a horn." || c.OmittedWorkspace != 0 {
			t.Errorf("%s: %q, %d omitted", mode, got, c.OmittedWorkspace)
		}
		if e := c.Diagnostics.Entries; len(e) != 1 || !slices.Contains(e[0].Arms, "overlay") {
			t.Errorf("%s: %+v", mode, e)
		}
		if !mode.semantic() {
			w.ask("bell", in(mode)).holds(t)
			w.ask("rope", in(mode)).holds(t)
		}
		w.updateIn(sibling, shared, hostile)
		w.ask("ferry", in(mode)).holds(t)
		w.delete(sibling, shared)
		w.ask("ferry", in(mode)).holds(t)
	}
}

// What changed weighs as much as it will in the index, beside what stands there now.
func TestA03WhatChangedMeanwhileWeighsAsItWill(t *testing.T) {
	for name, one := range map[string]struct {
		from  tenant.Scope
		layer string
	}{"here": {here, "Workspace"}, "the tenant's": {here, "Tenant"}, "a sibling's": {sibling, "Tenant"}} {
		s := memstore.New()
		synced := newWorldOver(t, s)
		var ids []string
		for _, text := range []string{"Where is the ferry?", "At the mole.", "A rope.", "The ferry bell is brass."} {
			ids = append(ids, synced.store(one.from, fact(text, inRun("r1"), inLayer(one.layer), speaking("Nora"))))
		}
		behind := worldOver(t, s, synced.clock)
		behind.sync(one.from)
		synced.updateIn(one.from, ids[2], "That ferry bell.")
		synced.sync(one.from)
		behind.reached()
		want := synced.lexicalParts("ferry bell")[ids[2]]
		behind.index.change = func(a search.Answer) search.Answer {
			a.Stats = synced.index.last.Stats
			return a
		}
		if got := behind.lexicalParts("ferry bell")[ids[2]]; want <= 0 || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v over a stale text, %v in the index", name, got, want)
		}
	}
}

// As of then, what is seen is scored, whatever text the index has.
func TestR073WhatChangedMeanwhileIsSeenAsOfThen(t *testing.T) {
	for _, mode := range modes {
		for _, axis := range []memory.Axis{memory.ValidAxis, memory.RecordedAxis, memory.BothAxes} {
			w := newWorld(t)
			id := w.add("The harbour pilot is Olga.")
			w.sync(here)
			then := w.clock.Now()
			later := then.Add(time.Hour)
			w.meanwhile(func() { w.update(id, "The harbour pilot is Pavel.") })
			if got := w.ask("harbour pilot", in(mode), asOf(axis, later)).text(id); got != "The harbour pilot is Pavel." {
				t.Errorf("%s, %s, later: %q", mode, axis, got)
			}
			w.meanwhile(func() { w.update(id, "The harbour pilot is Nora.") })
			want := "The harbour pilot is Olga."
			if axis == memory.ValidAxis {
				want = "The harbour pilot is Nora."
			}
			if got := w.ask("harbour pilot", in(mode), asOf(axis, then)).text(id); got != want {
				t.Errorf("%s, %s, then: %q, want %q", mode, axis, got, want)
			}
		}
	}
}

// A lie about a memory's version is no reason to leave it out, or to show another text.
func TestS019AStaleVersionNeverShowsItsText(t *testing.T) {
	for _, version := range []int64{1, 9} {
		w := newWorld(t)
		kept := w.add("The harbour pilot lives at the mole.")
		id := w.add("The harbour pilot is Olga.")
		w.update(id, "The keel is oak.")
		w.sync(here)
		w.lie(here, id, as(func(d *search.Document) { d.Version = version }))
		for _, mode := range modes {
			want := ""
			if mode.semantic() { // by meaning a text is found as it stands
				want = "The keel is oak."
			}
			if c := w.ask("harbour pilot", in(mode)); c.text(id) != want || c.ids()[0] != kept {
				t.Errorf("%s, version %d: %q, entries %v", mode, version, c.text(id), c.ids())
			}
			if !w.proposed(id) {
				t.Errorf("%s: the index did not lie", mode)
			}
			w.index.asked = nil
		}
	}
}
