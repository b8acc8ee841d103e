package recall

import (
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// earlier makes a document of the partition of earlier texts that says of itself that
// it was always current.
func earlier(scope tenant.Scope, item string, version int64) func(*search.Document) {
	return func(d *search.Document) {
		as(nil)(d)
		d.Scope, d.ID, d.Item, d.Version = scope.Past(), memory.PastID(d.ID, version), item, version
		d.Times = search.Times{memory.TimeSince: start.Add(-time.Hour), memory.TimeUntil: start.Add(1e6 * time.Hour)}
	}
}

// TestR073AnIndexThatLiesShowsNothingOfThen fills the partition of earlier texts with
// lies.
func TestR073AnIndexThatLiesShowsNothingOfThen(t *testing.T) {
	for name, prepare := range map[string]func(w *world) string{ // answers what must not show
		"deleted": func(w *world) string {
			id := w.add("The harbour pilot is Olga.")
			w.lie(here, id, earlier(here, id, 1))
			w.delete(here, id)
			return id
		},
		"held now": func(w *world) string {
			id := w.add("The harbour pilot is Olga.")
			w.lie(here, id, earlier(here, id, 1))
			w.update(id, hostile)
			return id
		},
		"a later text": func(w *world) string {
			id := w.add("The keel is oak.")
			w.lie(here, id, earlier(here, id, 7))
			return id
		},
		"of a user": func(w *world) string {
			id := w.add("The harbour pilot is Olga.", ofUser("ida"))
			w.lie(here, id, earlier(here, id, 1))
			return id
		},
		"of another tenant": func(w *world) string {
			id := w.store(foreign, fact("The harbour pilot is Olga."))
			w.lie(foreign, id, earlier(here, id, 1))
			return id
		},
		"of no item": func(w *world) string {
			return w.lie(here, w.add("The keel is oak."), earlier(here, "", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			kept := w.add("The harbour pilot lives at the mole.")
			w.sync(here)
			lied := prepare(w)
			w.sync(here, foreign)
			w.reached()
			for _, mode := range []Mode{Lexical, Deterministic} { // by meaning a text is found as it stands
				for _, axis := range []memory.Axis{memory.RecordedAxis, memory.BothAxes} {
					c := w.ask("harbour pilot", in(mode), asOf(axis, w.clock.Now()), withSuperseded)
					seen := map[string]int{}
					for _, id := range c.ids() {
						seen[id]++
					}
					if seen[kept] != 1 || seen[lied] > 0 {
						t.Errorf("%s, %s: %v", mode, axis, c.ids())
					}
				}
			}
		})
	}
}

// A text that the index knows as the current and as an earlier one is one entry.
func TestR073ATextThatIsKnownTwiceIsOneEntry(t *testing.T) {
	w := newWorld(t)
	id := w.add("The harbour pilot lives at the mole.")
	w.sync(here)
	w.lie(here, id, earlier(here, id, 1))
	for _, mode := range modes {
		w.ask("harbour pilot", in(mode), asOf(memory.RecordedAxis, w.clock.Now())).holds(t, id)
	}
}
