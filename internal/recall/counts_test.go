package recall

import (
	"fmt"
	"testing"

	"holdfast/internal/search"
)

// crowd fills the workspace with 300 entries about the crane, and others that none
// of the numbers may hold.
func (w *world) crowd() {
	w.t.Helper()
	for i := range 300 {
		w.add(fmt.Sprintf("The harbour crane number %d is blue.", i))
	}
	for i := range 9 {
		w.add(fmt.Sprintf("The harbour crane is %d metres high.", i), ofAttribute("height")) // the last one is current
		w.store(sibling, fact(fmt.Sprintf("The harbour crane of the tenant, %d.", i), inLayer("Tenant")))
		w.add(fmt.Sprintf("The harbour crane of Ida, %d.", i), ofUser("ida"))
		w.add(fmt.Sprintf("The harbour crane of the session, %d.", i), inLayer("Session"), inRun("r1"))
		w.add(fmt.Sprintf("The harbour crane of yesterday, %d.", i), until(start))
	}
}

// consistent asks with every topN: what is shown and what is omitted are all there is.
func (w *world) consistent(total, hidden int, changes ...func(*Request)) {
	w.t.Helper()
	for _, mode := range modes {
		for _, n := range []int{1, 5, 20, 100, 200} {
			for name, one := range map[string]func(*Request){"": func(*Request) {}, "raw": raw, "a small budget": budget(200)} {
				c := w.ask("harbour crane blue", append([]func(*Request){budget(32000), in(mode), most(n), one}, changes...)...)
				if shown := len(c.ids(WorkspaceEntries)); shown+c.OmittedWorkspace != total || c.SupersededHidden != hidden {
					w.t.Errorf("%s, topN %d, %s: %d shown, %d omitted of %d; %d hidden, want %d",
						mode, n, name, shown, c.OmittedWorkspace, total, c.SupersededHidden, hidden)
				}
			}
		}
	}
}

func TestR027R014NumbersAreTheSameForEveryTopN(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.crowd()
	w.sync(here, sibling)
	w.consistent(301, 17)
	w.consistent(301, 17, inRunOf("r1"))
	w.consistent(310, 17, asUser("ida"))
}

// What the index has not reached counts as it is in the table.
func TestR027R014NumbersHoldWhileTheIndexLags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.crowd()
	changed := w.add("The harbour crane is rusty.")
	gone := w.add("The harbour crane is for sale.")
	w.add("The harbour crane has a captain.", ofAttribute("captain"))
	w.sync(here, sibling)
	w.consistent(304, 17)
	w.update(changed, "The harbour crane is painted.")
	w.delete(here, gone)
	w.add("The harbour crane has a new captain.", ofAttribute("captain"))
	w.add("The harbour crane turns.")
	w.consistent(304, 18)
	for _, q := range w.index.asked[len(w.index.asked)-1:] {
		if len(q.Without) != 5 {
			t.Errorf("left out: %d", len(q.Without))
		}
	}
}

// What the table refuses is in no number, whatever the index believes of it.
func TestR027WhatTheTableRefusesIsNotCounted(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		w.add(fmt.Sprintf("The harbour crane number %d is blue.", i))
	}
	keel := w.add("The keel is oak.")
	w.sync(here)
	for i := range 3 {
		w.lie(here, keel, as(func(d *search.Document) {
			d.ID, d.Text = w.IDs.New(), fmt.Sprintf("Harbour crane blue %d.", i)
		}))
	}
	for _, mode := range []Mode{Lexical, Deterministic} {
		c := w.ask("harbour crane blue", in(mode), most(5))
		if len(w.index.asked) == 0 || len(c.ids()) != 5 || c.OmittedWorkspace != 25 {
			t.Errorf("%s: %d shown, %d omitted", mode, len(c.ids()), c.OmittedWorkspace)
		}
	}
}

// With a least score only what reaches it counts, and topN changes nothing.
func TestR012R027WithALeastScoreOmittedAreThoseThatReachIt(t *testing.T) {
	w := newWorld(t)
	for i := range 150 {
		w.add(fmt.Sprintf("The harbour crane number %d is blue.", i))
		w.add(fmt.Sprintf("Lunch %d was soup and the harbour was grey all day long.", i))
	}
	w.sync(here)
	for _, mode := range modes {
		top := w.ask("harbour crane blue", in(mode), most(1)).Sections[WorkspaceEntries][0].Score
		for _, n := range []int{1, 20, 200} {
			c := w.ask("harbour crane blue", in(mode), most(n), least(top*.8), budget(32000))
			if shown := len(c.ids()); shown+c.OmittedWorkspace != 150 {
				t.Errorf("%s, topN %d: %d shown, %d omitted", mode, n, shown, c.OmittedWorkspace)
			}
		}
	}
}

// An index that cannot count leaves what was read.
func TestR027WithoutTheIndexsNumbersThoseReadCount(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		w.add(fmt.Sprintf("The harbour crane number %d is blue.", i))
	}
	w.sync(here)
	w.index.change = func(a search.Answer) search.Answer { a.Tallies = nil; return a }
	if c := w.ask("harbour crane", most(4)); c.OmittedWorkspace != 6 {
		t.Errorf("%d omitted", c.OmittedWorkspace)
	}
}
