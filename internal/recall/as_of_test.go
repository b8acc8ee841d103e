package recall

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/memory"
)

var axes = []memory.Axis{memory.RecordedAxis, memory.ValidAxis, memory.BothAxes}

func asOf(axis memory.Axis, at time.Time) func(*Request) {
	return func(r *Request) { r.AsOf = &memory.AsOf{At: at, Axis: axis} }
}

func withSuperseded(r *Request) { r.IncludeSuperseded = true }

func between(after, before *time.Time) func(*Request) {
	return func(r *Request) { r.After, r.Before = after, before }
}

// shown asks for exactly these texts, in any order.
func (c Context) shows(t testing.TB, label string, want ...string) {
	t.Helper()
	var got []string
	for _, entries := range c.Sections {
		for _, e := range entries {
			got = append(got, e.Memory.Content)
		}
	}
	slices.Sort(got)
	if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", label, got, want)
	}
}

// TestR016R017BothClocks is all quadrants: the table of one memory that was true early
// and one that is true from an edge on, both told late.
func TestR016R017BothClocks(t *testing.T) {
	early, edge := instantOf(t, "2018-01-01T00:00:00Z"), instantOf(t, "2020-01-01T00:00:00Z")
	for _, synced := range []bool{true, false} {
		w := newWorld(t)
		ended, running := "The crane was run by Nordkran.", "The crane is run by Ferro."
		w.add(ended, since(early), until(edge))
		w.add(running, since(edge))
		known := w.clock.Now()
		w.clock.Advance(time.Hour)
		if synced {
			w.sync(here)
		}
		for _, one := range []struct {
			axis memory.Axis
			at   time.Time
			want []string
		}{
			{memory.ValidAxis, early.Add(-1), nil}, {memory.ValidAxis, early, []string{ended}}, {memory.ValidAxis, edge.Add(-1), []string{ended}},
			{memory.ValidAxis, edge, []string{running}}, {memory.ValidAxis, known, []string{running}},
			{memory.RecordedAxis, edge, nil}, {memory.RecordedAxis, known.Add(-1), []string{ended}}, {memory.RecordedAxis, known.Add(-time.Second), []string{ended}},
			{memory.RecordedAxis, known, []string{ended, running}}, {memory.BothAxes, edge, nil}, {memory.BothAxes, known, []string{running}},
			{memory.RecordedAxis, known.Add(time.Hour * 1e5), []string{ended, running}}, {memory.ValidAxis, known.Add(time.Hour * 1e5), []string{running}},
			{memory.RecordedAxis, time.Time{}, nil}, {memory.ValidAxis, time.Time{}, nil}, {memory.BothAxes, time.Time{}, nil},
		} {
			for _, mode := range modes {
				c := w.ask("crane run", in(mode), asOf(one.axis, one.at))
				label := fmt.Sprintf("%s, %s at %v, synced %v", mode, one.axis, one.at, synced)
				if c.shows(t, label, one.want...); c.SupersededHidden != 0 || c.OmittedWorkspace != 0 {
					t.Errorf("%s: %d hidden, %d omitted", label, c.SupersededHidden, c.OmittedWorkspace)
				}
			}
		}
		now := w.ask("crane run")
		if now.shows(t, "now", running); now.SupersededHidden != 1 {
			t.Errorf("%d hidden", now.SupersededHidden)
		}
		if all := w.ask("crane run", withSuperseded); all.SupersededHidden != 0 {
			t.Errorf("%d hidden", all.SupersededHidden)
		} else {
			all.shows(t, "all", ended, running)
		}
	}
}

func TestR073AsOfShowsTheTextThatWasCurrentThen(t *testing.T) {
	for _, synced := range []bool{true, false} {
		w := newWorld(t)
		id := w.add("The crane is red.")
		first := w.clock.Now()
		w.update(id, "The crane is blue.")
		second := w.clock.Now()
		w.update(id, "The crane is gone.")
		third := w.clock.Now()
		caterer := w.add("The crane caterer is Rosso.", ofAttribute("caterer"))
		fourth := w.clock.Now()
		w.add("The crane caterer is Verde.", ofAttribute("caterer"))
		fifth := w.clock.Now()
		w.clock.Advance(time.Minute)
		if synced {
			w.sync(here)
		}
		_ = caterer
		for _, one := range []struct {
			at     time.Time
			want   []string
			hidden int
			past   string
		}{
			{first.Add(-1), nil, 0, ""},
			{first, []string{"The crane is red."}, 0, ""}, {second.Add(-1), []string{"The crane is red."}, 0, ""},
			{second, []string{"The crane is blue."}, 0, ""}, {third, []string{"The crane is gone."}, 0, ""},
			{fourth, []string{"The crane is gone.", "The crane caterer is Rosso."}, 0, ""},
			{fifth.Add(-1), []string{"The crane is gone.", "The crane caterer is Rosso."}, 0, ""},
			{fifth, []string{"The crane is gone.", "The crane caterer is Verde."}, 1, "The crane caterer is Rosso."},
		} {
			for _, axis := range []memory.Axis{memory.RecordedAxis, memory.BothAxes} {
				for _, mode := range modes {
					label := fmt.Sprintf("%s, %s at %v, synced %v", mode, axis, one.at, synced)
					c := w.ask("crane red blue gone", in(mode), asOf(axis, one.at))
					if c.shows(t, label, one.want...); c.SupersededHidden != one.hidden {
						t.Errorf("%s: %d hidden", label, c.SupersededHidden)
					}
					want := one.want
					if one.past != "" {
						want = append(slices.Clone(want), one.past)
					}
					c = w.ask("crane red blue gone", in(mode), asOf(axis, one.at), withSuperseded)
					if c.shows(t, label+" with superseded", want...); c.SupersededHidden != 0 {
						t.Errorf("%s: %d hidden when shown", label, c.SupersededHidden)
					}
				}
			}
		}
	}
}

// Earlier values do not push out the value of then, however many there are.
func TestR014AsOfPastValuesDoNotCrowdOutTheOneOfThen(t *testing.T) {
	w := newWorld(t)
	var at time.Time
	for i := range 500 {
		w.add(fmt.Sprintf("Shipping city: Port%d.", i), ofAttribute("city"))
		if i == 450 {
			at = w.clock.Now()
		}
	}
	w.sync(here)
	for _, axis := range []memory.Axis{memory.RecordedAxis, memory.BothAxes} {
		for _, mode := range modes {
			c := w.ask("shipping city", in(mode), asOf(axis, at))
			label := fmt.Sprintf("%s, %s", mode, axis)
			if c.shows(t, label, "Shipping city: Port450."); c.SupersededHidden != 450 {
				t.Errorf("%s: %d hidden", label, c.SupersededHidden)
			}
		}
	}
}

func TestS048AsOfNothingDeletedOrHeldComesBack(t *testing.T) {
	for _, synced := range []bool{true, false} {
		w := newWorld(t)
		gone, held := w.add("The crane is red."), w.add("The crane is old.")
		kept := w.add("The crane is high.")
		then := w.clock.Now()
		if synced {
			w.sync(here)
		}
		w.update(kept, "The crane is low.")
		w.delete(here, gone)
		w.update(held, hostile+" crane")
		for _, axis := range axes {
			for _, mode := range modes {
				want := "The crane is high."
				if axis == memory.ValidAxis {
					want = "The crane is low."
				}
				w.ask("crane", in(mode), asOf(axis, then), withSuperseded).shows(t, fmt.Sprint(mode, axis, synced), want)
			}
		}
	}
}

// The profile and the summary are of then, and floors of today.
func TestR024FloorsAreOfTodayAndTheRestOfThen(t *testing.T) {
	w := newWorld(t)
	tea := w.add("Ida drinks tea.", ofUser("ida"), ofType("preference"))
	summary := w.add("They planned the regatta.")
	w.clock.Advance(time.Hour)
	then := w.clock.Now()
	w.update(tea, "Ida drinks coffee.")
	later := w.add("Ida has a dog.", ofUser("ida"))
	next := w.add("They ended the regatta.")
	rule := w.store(here, floor("Sign the register."))
	w.sync(here)
	w.Runs = &runs{summaries: map[string][]string{"r1": {summary, next}}}
	c := w.ask("lighthouse", in(Lexical), asUser("ida"), inRunOf("r1"), asOf(memory.RecordedAxis, then))
	if !slices.Equal(c.Profile.SourceIDs, []string{tea}) || c.Profile.Text != "- Ida drinks tea.\n" {
		t.Errorf("profile %+v, not with %s", c.Profile, later)
	}
	if !slices.Equal(c.Summary.SourceIDs, []string{summary}) {
		t.Errorf("summary %+v", c.Summary)
	}
	c.holds(t, rule)
}

func TestR020R068NeighboursAreOfThen(t *testing.T) {
	w := newWorld(t)
	before := w.add("Lunch was soup.", inRun("r1"), alone)
	w.add("The harbour pilot.", inRun("r1"), alone)
	then := w.clock.Now()
	w.update(before, "Lunch was cake.")
	w.add("Told later.", inRun("r1"), alone)
	w.sync(here)
	for _, axis := range []memory.Axis{memory.RecordedAxis, memory.BothAxes} {
		w.ask("harbour pilot", in(Lexical), expanding(1, 3), asOf(axis, then)).shows(t, string(axis), "Lunch was soup.", "The harbour pilot.")
	}
	w.ask("harbour pilot", in(Lexical), expanding(1, 3), asOf(memory.ValidAxis, w.clock.Now())).
		shows(t, "valid", "Lunch was cake.", "The harbour pilot.", "Told later.")
}

// Tenant memories of a sibling are seen as of then as well.
func TestR066AsOfSeesTheTenantsOwnLayer(t *testing.T) {
	w := newWorld(t)
	id := w.store(sibling, fact("The crane is red.", inLayer("Tenant")))
	then := w.clock.Now()
	w.clock.Advance(time.Second)
	if _, err := w.Memories.Update(t.Context(), w.target(sibling), memory.Revision{ID: id, Content: "The crane is blue."}); err != nil {
		t.Fatal(err)
	}
	w.sync(here, sibling)
	for _, mode := range modes {
		w.ask("crane red blue", in(mode), asOf(memory.RecordedAxis, then)).shows(t, string(mode), "The crane is red.")
		w.ask("crane red blue", in(mode), asOf(memory.ValidAxis, then)).shows(t, string(mode), "The crane is blue.")
	}
}
