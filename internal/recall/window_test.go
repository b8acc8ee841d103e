package recall

import (
	"testing"
	"time"

	"holdfast/internal/memory"
)

func TestR018WindowsAreHalfOpenOverTheEvent(t *testing.T) {
	march, april := instantOf(t, "2024-03-01T00:00:00Z"), instantOf(t, "2024-04-01T00:00:00Z")
	for _, synced := range []bool{true, false} {
		w := newWorld(t)
		rule := w.store(here, floor("Sign the register."))
		in3, in4 := w.add("Aldo inspected the dam.", since(march)), w.add("Bruno inspected the dam.", since(april))
		fine := w.add("Carla inspected the dam.", since(april.Add(500)))
		fresh := w.add("Dario inspected the dam.")
		w.add("The dam master is Enzo.", since(march), ofAttribute("master"))
		newer := w.add("The dam master is Fabio.", ofAttribute("master"))
		if synced {
			w.sync(here)
		}
		for _, one := range []struct {
			after, before time.Time // zero: open
			want          []string
			hidden        int
		}{
			{want: []string{in3, in4, fine, fresh, newer}, hidden: 1},
			{after: march, before: april, want: []string{in3}, hidden: 1},
			{after: april, want: []string{in4, fine, fresh, newer}},
			{after: april.Add(1), want: []string{fine, fresh, newer}},
			{after: april.Add(500), before: april.Add(501), want: []string{fine}},
			{after: april, before: april.Add(500), want: []string{in4}},
			{after: april.Add(501), want: []string{fresh, newer}},
			{before: april, want: []string{in3}, hidden: 1},
			{before: march},
			{before: march.Add(1), want: []string{in3}, hidden: 1},
		} {
			for _, mode := range modes {
				c := w.ask("Who inspected the dam master?", in(mode), func(r *Request) {
					if !one.after.IsZero() {
						r.After = &one.after
					}
					if !one.before.IsZero() {
						r.Before = &one.before
					}
				})
				c.holds(t, append([]string{rule}, one.want...)...)
				if c.SupersededHidden != one.hidden || c.OmittedWorkspace != 0 {
					t.Errorf("%s, %v to %v: %d hidden, want %d; %d omitted", mode, one.after, one.before, c.SupersededHidden, one.hidden, c.OmittedWorkspace)
				}
			}
		}
	}
}

// Bounds are widened to what the index compares, never narrowed.
func TestR018TheIndexsWindowHoldsTheRequests(t *testing.T) {
	at := instantOf(t, "2024-03-01T00:00:00.0000015Z")
	f := Request{After: &at, Before: &at}.window(loose)[0]
	if f.Time != memory.TimeEvent || f.Since.Nanosecond() != 1000 || f.Before.Nanosecond() != 2000 {
		t.Errorf("%+v", f)
	}
	if f := (Request{After: &at}).window(exact)[0]; f.Since.Nanosecond() != 2000 {
		t.Errorf("for numbers: %+v", f)
	}
	first := time.Time{}
	if f := (Request{Before: &first}).window(loose)[0]; f.Before.IsZero() {
		t.Error("a bound before all is taken for an open one")
	}
	if len(Request{}.window(loose)) != 0 {
		t.Error("a window that nobody asked for")
	}
}
