package recall

import (
	"fmt"
	"slices"
	"testing"

	"holdfast/internal/search"
)

// homes is a workspace in which a value was replaced twice, in words that share nothing.
func homes(t *testing.T) (w *world, bern, basel, chur string) {
	w = newWorld(t)
	for i := range 40 {
		w.add(fmt.Sprintf("Invoice %d was paid by Nora.", i))
	}
	bern = w.add("We live in Bern.", ofAttribute("home"), tagged("kind", "old"))
	basel = w.add("Relocated to Basel.", ofAttribute("home"))
	chur = w.add("Chur since June.", ofAttribute("home"))
	return w, bern, basel, chur
}

var wordModes = []Mode{Hybrid, Lexical}

func TestA02WhatSupersededAnAnswerIsTheAnswer(t *testing.T) {
	for _, indexed := range []bool{true, false} {
		for _, mode := range wordModes {
			w, _, _, chur := homes(t)
			if indexed {
				w.sync(here)
			}
			c := w.ask("Where do we live?", in(mode), most(3), explained)
			if got := c.ids(); len(got) == 0 || got[0] != chur || c.SupersededHidden != map[Mode]int{Hybrid: 2, Lexical: 1}[mode] {
				t.Fatalf("%s, indexed %v: %v, %d hidden", mode, indexed, got, c.SupersededHidden)
			}
			first := c.Sections[WorkspaceEntries][0]
			for _, e := range c.Diagnostics.Entries {
				if e.ID == chur && (e.Parts == nil || e.Parts.Succeeds != first.Score || e.First != 1) {
					t.Errorf("%s, indexed %v: %+v", mode, indexed, e)
				}
			}
		}
	}
}

// What was found anyway keeps its score, and only what is superseded matters.
func TestA02SuccessionChangesNoOtherScore(t *testing.T) {
	for _, mode := range wordModes {
		w, bern, _, chur := homes(t)
		w.sync(here)
		before := w.ask("Who paid invoice 7?", in(mode))
		if c := w.ask("Who paid invoice 7?", in(mode), withSuperseded); c.ids()[0] != before.ids()[0] {
			t.Errorf("%s: %v and %v", mode, c.ids(), before.ids())
		}
		c := w.ask("Where do we live?", in(mode), withSuperseded, most(50))
		got := c.ids()
		if at := slices.Index(got, bern); got[0] != chur || at < 1 || scoreOf(c, bern) >= scoreOf(c, chur) || scoreOf(c, bern) < .99*scoreOf(c, chur) {
			t.Errorf("%s: %v, scores %v and %v", mode, got, scoreOf(c, chur), scoreOf(c, bern))
		}
	}
}

// A successor that the request may not see, or that is gone, shows nothing, and nothing
// comes back for it.
func TestA02ASuccessorOutOfReachIsNoEntry(t *testing.T) {
	for _, mode := range wordModes {
		w, bern, basel, chur := homes(t)
		w.sync(here)
		if got := w.ask("Where do we live?", in(mode), having("kind", "old")).ids(); len(got) != 0 {
			t.Errorf("%s: %v without the tag", mode, got)
		}
		w.delete(here, chur)
		w.sync(here)
		c := w.ask("Where do we live?", in(mode), most(100))
		for _, id := range []string{bern, basel, chur} {
			if slices.Contains(c.ids(), id) {
				t.Errorf("%s: %s shows after its successor was deleted", mode, id)
			}
		}
	}
}

// Deterministic mode ranks by words alone, and an answer as of an instant by what was
// known then.
func TestR010SuccessionIsNoneOfDeterministicMode(t *testing.T) {
	w, _, _, _ := homes(t)
	w.sync(here)
	if got := w.ask("Where do we live?", in(Deterministic)).ids(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// The numbers are those of what the arms know, and of what succession adds.
func TestR027SuccessionCountsOnce(t *testing.T) {
	w, _, _, _ := homes(t)
	w.sync(here)
	for _, mode := range wordModes {
		want := map[Mode]int{Hybrid: 41, Lexical: 1}[mode]
		for _, n := range []int{1, 100} {
			c := w.ask("Where do we live?", in(mode), most(n), budget(32000))
			if got := len(c.ids()) + c.OmittedWorkspace; got != want {
				t.Errorf("%s, topN %d: %d entries, want %d", mode, n, got, want)
			}
		}
	}
}

// Where nothing is superseded the index is asked once; an arm that fails in the second
// search is told, and the rest of the answer stands.
func TestA04ASuccessionThatCannotBeLookedUpIsTold(t *testing.T) {
	w, _, _, _ := homes(t)
	w.sync(here)
	calls := 0
	w.index.change = func(a search.Answer) search.Answer {
		if calls++; calls == 2 {
			a.Hits, a.LexicalErr = nil, errAway
		}
		return a
	}
	c := w.ask("Where do we live, says invoice 7?", in(Lexical))
	if arm := c.arm("lexical"); arm.State != Degraded || len(c.ids()) == 0 || calls != 2 {
		t.Errorf("%+v, %d entries after %d searches", arm, len(c.ids()), calls)
	}
	plain := newWorld(t)
	plain.add("We live in Bern.")
	plain.sync(here)
	if plain.ask("Where do we live?"); len(plain.index.asked) != 1 {
		t.Errorf("%d searches", len(plain.index.asked))
	}
}
