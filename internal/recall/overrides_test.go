package recall

import (
	"math"
	"testing"
	"time"

	"holdfast/internal/memory"
)

func overriding(o Overrides) func(*Request) { return func(r *Request) { r.Overrides = o } }
func explained(r *Request)                  { r.Explain = true }
func important(value float64) with          { return func(d *memory.Draft) { d.Importance = &value } }

func TestR022SharesAreNormalised(t *testing.T) {
	w := newWorld(t)
	share := w.model.Profile().LexicalShare
	for name, one := range map[string]struct {
		o                 Overrides
		semantic, lexical float64
	}{
		"none":          {Overrides{}, 1 - share, share},
		"both":          {Overrides{SemanticWeight: new(.2), LexicalWeight: new(.6)}, .25, .75},
		"both whole":    {Overrides{SemanticWeight: new(1.0), LexicalWeight: new(1.0)}, .5, .5},
		"both 0":        {Overrides{SemanticWeight: new(0.0), LexicalWeight: new(0.0)}, 1 - share, share},
		"only lexical":  {Overrides{SemanticWeight: new(0.0), LexicalWeight: new(.3)}, 0, 1},
		"only semantic": {Overrides{SemanticWeight: new(.3), LexicalWeight: new(0.0)}, 1, 0},
		"one given":     {Overrides{LexicalWeight: new(1.0)}, (1 - share) / (2 - share), 1 / (2 - share)},
		"one given, 0":  {Overrides{LexicalWeight: new(0.0)}, 1, 0},
	} {
		e := w.ask("ferry", overriding(one.o), explained).Diagnostics.Overrides
		if math.Abs(e.SemanticWeight-one.semantic) > 1e-12 || math.Abs(e.LexicalWeight-one.lexical) > 1e-12 {
			t.Errorf("%s: %+v, want %v and %v", name, e, one.semantic, one.lexical)
		}
	}
}

// A workspace's weight stands in place of the embedding profile's, under what a request
// says.
func TestAWorkspaceWeighsItsArms(t *testing.T) {
	w := newWorld(t)
	for _, one := range []struct {
		weight float64
		o      Overrides
		want   float64
	}{
		{.25, Overrides{}, .25}, {.25, Overrides{LexicalWeight: new(.75), SemanticWeight: new(.25)}, .75}, {.25, Overrides{LexicalWeight: new(.75)}, .5},
		{1, Overrides{LexicalWeight: new(0.0)}, 0}, {0, Overrides{SemanticWeight: new(0.0)}, 1},
		{1, Overrides{LexicalWeight: new(0.0), SemanticWeight: new(0.0)}, 1},
	} {
		c := w.ask("ferry", overriding(one.o), explained, func(r *Request) { r.LexicalWeight = new(one.weight) })
		if e := c.Diagnostics.Overrides; math.Abs(e.LexicalWeight-one.want) > 1e-12 || math.Abs(e.SemanticWeight+one.want-1) > 1e-12 {
			t.Errorf("%+v: %+v", one.o, e)
		}
	}
}

func TestR022OverridesActOnTheirRequestOnly(t *testing.T) {
	w := newWorld(t)
	low := w.add("The tannery smells of leather.", important(0))
	high := w.add("The tannery pays its taxes late.", important(1))
	w.sync(here)
	only := Overrides{SemanticWeight: new(0.0), LexicalWeight: new(1.0), RecencyWeight: new(0.0), ImportanceWeight: new(1.0), CandidateCount: new(137)}
	c := w.ask("tannery", overriding(only), explained)
	if c.ids()[0] != high || c.Diagnostics.Overrides.CandidateCount != 137 || w.index.asked[0].Lexical != 137 || w.index.asked[0].Semantic != 137 {
		t.Errorf("%v, %+v", c.ids(), c.Diagnostics.Overrides)
	}
	c = w.ask("tannery smells of leather", explained)
	if c.ids()[0] != low || c.Diagnostics.Overrides.CandidateCount != proposals || w.index.asked[1].Lexical != proposals {
		t.Errorf("%v, %+v", c.ids(), c.Diagnostics.Overrides)
	}
}

func TestR081RecencyIsABoundedBias(t *testing.T) {
	w := newWorld(t)
	old := w.add("The ferry leaves from quay nine.")
	w.clock.Advance(60 * 24 * time.Hour)
	young := w.add("The ferry leaves from quay seven.")
	w.sync(here)
	scores := func(o Overrides, more ...func(*Request)) map[string]float64 {
		out := map[string]float64{}
		for _, e := range w.ask("ferry tar pitch gravel", append(more, overriding(o), in(Lexical))...).Sections[WorkspaceEntries] {
			out[e.Memory.ID] = e.Score
		}
		return out
	}
	even := scores(Overrides{})
	for _, one := range []struct {
		days, old, young float64
	}{{30, math.Exp2(2*.25 - 1), 2}, {60, 1, 2}, {1e300, 2, 2}, {1e-300, .5, .5}} {
		got := scores(Overrides{RecencyWeight: new(1.0), RecencyHalfLifeDays: &one.days})
		if r := got[old] / even[old]; math.Abs(r-one.old) > .01 {
			t.Errorf("half-life %v: the old one times %v, want %v", one.days, r, one.old)
		}
		if r := got[young] / even[young]; one.days >= 1 && math.Abs(r-one.young) > .01 {
			t.Errorf("half-life %v: the young one times %v, want %v", one.days, r, one.young)
		}
	}
	got := scores(Overrides{RecencyWeight: new(1.0)}, anchored(start))
	if math.Abs(got[old]-got[young]) > 1e-9 || math.Abs(got[old]/even[old]-2) > .01 {
		t.Errorf("measured from the anchor: %v, were %v", got, even)
	}
}

// Deterministic mode considers the whole scope and knows neither shares nor biases.
func TestR082DeterministicModeTakesNoOverrides(t *testing.T) {
	w := newWorld(t)
	w.fleet()
	w.sync(here)
	want := w.ask("ferry cars", in(Deterministic), most(100)).bytes(t)
	all := Overrides{SemanticWeight: new(1.0), LexicalWeight: new(0.0), RecencyWeight: new(1.0), ImportanceWeight: new(1.0),
		RecencyHalfLifeDays: new(.5), CandidateCount: new(1)}
	c := w.ask("ferry cars", in(Deterministic), most(100), overriding(all), explained)
	if got := c.bytes(t); got != want || c.Diagnostics.Overrides.CandidateCount != deterministicScope {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
