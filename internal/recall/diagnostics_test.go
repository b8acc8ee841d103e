package recall

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/memory"
)

func TestS029R032ExplainChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.fleet()
	w.sync(here, sibling)
	w.add("The ferry has a bell.", inRun("run1"))
	w.update(w.add("The ferry sails."), "The ferry sails at ten.")
	for name, changes := range map[string][]func(*Request){
		"plain": {}, "raw": {raw}, "a user": {asUser("ida")}, "small": {budget(90)}, "few": {most(2)}, "tags": {having("line", "1")},
		"superseded": {func(r *Request) { r.IncludeSuperseded = true }}, "least": {least(.3)}, "expanded": {expanding(2, 2), most(2)},
	} {
		for _, mode := range modes {
			plain := w.ask("ferry cars master", append(changes, in(mode))...)
			told := w.ask("ferry cars master", append(changes, in(mode), explained)...)
			if plain.Diagnostics != nil || told.Diagnostics == nil {
				t.Errorf("%s, %s: diagnostics %v, %v", name, mode, plain.Diagnostics, told.Diagnostics)
			}
			if a, b := plain.bytes(t), told.bytes(t); a != b {
				t.Errorf("%s, %s:\n%s\nwithout explain\n%s", name, mode, b, a)
			}
			var ids []string
			for _, e := range told.Diagnostics.Entries {
				ids = append(ids, e.ID)
			}
			for _, id := range told.ids() {
				if !slices.Contains(ids, id) {
					t.Errorf("%s, %s: nothing of %s", name, mode, id)
				}
			}
		}
	}
}

func TestR032EntriesTellTheirOrigin(t *testing.T) {
	w := newWorld(t)
	rule := w.store(here, floor("Sign the register."))
	tea := w.add("Ida drinks tea.", ofUser("ida"), ofType("preference"))
	before := w.add("Nothing of this.", inRun("r1"), alone)
	hit := w.add("The harbour pilot.", inRun("r1"), alone)
	w.sync(here)
	late := w.add("A harbour.")
	c := w.ask("harbour pilot", in(Lexical), asUser("ida"), expanding(1, 1), explained)
	want := map[string][]string{rule: {"floor"}, tea: {"profile"}, before: {"expansion"}, hit: {"lexical"}, late: {"lexical", "overlay"}}
	if len(c.Diagnostics.Entries) != len(want) {
		t.Errorf("%+v", c.Diagnostics.Entries)
	}
	for _, e := range c.Diagnostics.Entries {
		ranked := e.ID == hit || e.ID == late
		if !slices.Equal(e.Arms, want[e.ID]) || (e.Parts != nil) != ranked || (e.First > 0) != ranked || e.Section == "" {
			t.Errorf("%+v, want arms %v", e, want[e.ID])
		}
	}
	if n := c.Diagnostics.Numbers; n != (Numbers{Proposed: 2, Read: 1, Ranked: 2, Expanded: 1}) {
		t.Errorf("%+v", n)
	}
}

func TestR032FiltersTellWhatTheyTookOut(t *testing.T) {
	w := newWorld(t)
	for i := range 300 {
		w.add(fmt.Sprintf("The ferry makes trip %d.", i), tagged("k", fmt.Sprint(i%3)))
	}
	w.add("The ferry master is Olga.", ofAttribute("master"), tagged("k", "0"))
	w.add("The ferry master is Pavel.", ofAttribute("master"), tagged("k", "0"))
	w.add("The ferry of Bo.", ofUser("bo"), tagged("k", "9"))
	w.sync(here)
	gone := w.add("The ferry is gone.", tagged("k", "0"))
	w.sync(here)
	w.delete(here, gone)
	w.reached()
	c := w.ask("ferry", in(Lexical), most(200), having("k", "0"), explained)
	if want := []Removed{{ByTags, 200}, {BySupersession, 1}, {ByIndex, 1}}; !slices.Equal(c.Diagnostics.Removed, want) {
		t.Errorf("%+v, want %+v", c.Diagnostics.Removed, want)
	}
	if got := w.ask("ferry", explained, in(Lexical)).Diagnostics.Removed; slices.ContainsFunc(got, func(r Removed) bool { return r.By == ByTags }) {
		t.Errorf("without tags: %+v", got)
	}
}

// A clock that moves on at each look.
type ticking struct{ at time.Time }

func (c *ticking) Now() time.Time {
	c.at = c.at.Add(3 * time.Millisecond)
	return c.at
}

func TestR032TimingsAreOfTheInjectedClock(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.sync(here)
	w.Clock = &ticking{at: start}
	steps := w.ask("ferry", explained).Diagnostics.Timings
	var names []string
	for _, s := range steps {
		names = append(names, s.Name)
		if want := map[bool]float64{true: 6, false: 3}[s.Name == "compile"]; s.Milliseconds != want { // compile looks itself
			t.Errorf("%+v, want %v", s, want)
		}
	}
	want := []string{"position", "floors", "lag", "search", "overlay", "hydrate", "succeed", "rank", "rerank", "compile", "receipt"}
	if !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// What a caller may not see is in no number.
func TestR005DiagnosticsTellNothingOfOtherSubjects(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry of Bo.", ofUser("bo"), tagged("k", "v"))
	w.add("The ferry said in a run.", inLayer("Session"), inRun("r9"), tagged("k", "v"))
	w.sync(here)
	d := w.ask("ferry", having("other", "v"), explained, func(r *Request) { r.Subject = memory.Subject{UserID: "ida"} }).Diagnostics
	if len(d.Removed) != 0 || d.Numbers.Proposed != 0 {
		t.Errorf("%+v", d)
	}
}
