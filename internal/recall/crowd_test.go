package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Earlier values of an attribute look just like the current one; however many
// there are, they must not push it out.
func TestS036SupersededMemoriesDoNotCrowdOutTheCurrentOne(t *testing.T) {
	for _, n := range []int{70, 450} {
		w := newWorld(t)
		for i := range n {
			w.add(fmt.Sprintf("Shipping city: Port%d.", i), ofAttribute("shipping_city"))
		}
		current := w.add("Shipping city, as told on the telephone in the afternoon: Rotterdam, by the old bridge.", ofAttribute("shipping_city"))
		w.sync(here)
		for _, mode := range modes {
			c := w.ask("shipping city", in(mode))
			if got := c.ids(); len(got) != 1 || got[0] != current {
				t.Errorf("%s, %d earlier values: entries %v", mode, n, got)
			}
			if c.SupersededHidden != n {
				t.Errorf("%s: %d hidden values are counted, want %d", mode, c.SupersededHidden, n)
			}
		}
	}
}

// So with memories that are no longer valid, which look like the live one as well.
func TestR073ExpiredMemoriesDoNotCrowdOutTheLiveOne(t *testing.T) {
	for _, n := range []int{70, 450} {
		w := newWorld(t)
		for i := range n {
			changes := []with{until(start.Add(-time.Hour))}
			if i%2 == 0 {
				changes = append(changes, ofAttribute("ferry_platform")) // over, and superseded but for one
			}
			w.add(fmt.Sprintf("The ferry leaves at platform %d.", i), changes...)
		}
		w.add("The ferry leaves at the first platform of all.", until(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)))
		live := w.add("The ferry, as told on the telephone in the afternoon, now leaves at quay Z.", until(start.Add(1000*time.Hour)))
		w.sync(here)
		for _, mode := range modes {
			c := w.ask("ferry leaves platform", in(mode))
			c.holds(t, live)
			if c.SupersededHidden != n+1 || c.OmittedWorkspace != 0 {
				t.Errorf("%s: %d hidden, want %d; %d omitted", mode, c.SupersededHidden, n+1, c.OmittedWorkspace)
			}
		}
	}
}

// So with policy that is in the context anyway.
func TestR024FloorsDoNotCrowdOutEntries(t *testing.T) {
	w := newWorld(t)
	for i := range 220 {
		w.store(here, floor(fmt.Sprintf("Ferry rule %d.", i)))
	}
	kept := w.add("The ferry rule" + strings.Repeat(" by the mole", 5) + " is new.")
	w.sync(here)
	for _, mode := range modes {
		c := w.ask("ferry rule", in(mode), budget(32000))
		if got := c.ids(WorkspaceEntries); !slices.Equal(got, []string{kept}) || c.SupersededHidden+c.OmittedWorkspace != 0 {
			t.Errorf("%s: %v, %d hidden, %d omitted", mode, got, c.SupersededHidden, c.OmittedWorkspace)
		}
	}
}

// So with documents that are gone from the table while the index lags.
func TestA04AStaleIndexDoesNotCrowdOutWhatIsThere(t *testing.T) {
	w := newWorld(t)
	var gone []string
	for i := range 90 {
		gone = append(gone, w.add(fmt.Sprintf("Tide gauge %d.", i)))
	}
	kept := w.add("The tide gauge" + strings.Repeat(" by the mole", 5) + " is broken.")
	w.sync(here)
	for _, id := range gone {
		w.delete(here, id)
	}
	if err := w.indexer.Cursors.Advance(t.Context(), here, w.head(here).Sequence); err != nil { // says it knows, but does not
		t.Fatal(err)
	}
	for _, mode := range modes {
		w.ask("tide gauge", in(mode)).holds(t, kept)
	}
}

// What a request may not see takes no place from what it may.
func TestR05WhatIsInvisibleDoesNotCrowdOutTheVisible(t *testing.T) {
	w := newWorld(t)
	for i := range 250 {
		text := fmt.Sprintf("Tide gauge %d.", i)
		w.add(text, inLayer("Session"), inRun("r1"), tagged("quay", "north"))
		w.add(text, ofUser("ida"), tagged("quay", "north"))
		w.add(text, tagged("quay", "south"))
	}
	kept := w.add("The tide gauge"+strings.Repeat(" by the mole", 5)+" is broken.", tagged("quay", "north"))
	w.sync(here)
	for _, mode := range modes {
		w.ask("tide gauge", in(mode), having("quay", "north")).holds(t, kept)
	}
}
