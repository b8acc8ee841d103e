package recall

import (
	"slices"
	"testing"
	"time"
)

func anchored(at time.Time) func(*Request) { return func(r *Request) { r.Anchor = &at } }

func instantOf(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestR019R074TheAnchorMovesRelativeWordsAndFiltersNothing(t *testing.T) {
	w := newWorld(t)
	ids := map[string]string{}
	for _, day := range []string{"2023-01-10", "2023-02-10", "2023-03-10", "2024-03-10", "2026-04-10"} {
		ids[day] = w.add("The vineyard was inspected by "+day[:1]+" people.", since(instantOf(t, day+"T00:00:00Z")))
	}
	w.sync(here)
	for _, one := range []struct {
		query, anchor, first, from, to string
	}{
		{"vineyard inspected last month", "2023-02-15T00:00:00Z", "2023-01-10", "2023-01-01", "2023-02-01"},
		{"vineyard inspected last month", "2023-03-15T00:00:00Z", "2023-02-10", "2023-02-01", "2023-03-01"},
		{"vineyard inspected two weeks ago", "2023-02-24T00:00:00Z", "2023-02-10", "2023-02-06", "2023-02-13"},
		{"vineyard inspected in March", "2023-08-01T00:00:00Z", "2023-03-10", "2023-03-01", "2023-04-01"},
		{"vineyard inspected in March", "2024-08-01T00:00:00Z", "2024-03-10", "2024-03-01", "2024-04-01"},
		{"vineyard inspected in March", "2024-02-29T00:00:00Z", "2023-03-10", "2023-03-01", "2023-04-01"},
		{"vineyard inspected last month", "", "2026-04-10", "2026-04-01", "2026-05-01"},
		{"vineyard inspected in March", "", "", "", ""},
		{"vineyard inspected", "2023-02-15T00:00:00Z", "", "", ""},
	} {
		changes := []func(*Request){explained}
		anchor := w.clock.Now()
		if one.anchor != "" {
			anchor = instantOf(t, one.anchor)
			changes = append(changes, anchored(anchor))
		}
		c := w.ask(one.query, changes...)
		got := c.ids()
		if len(got) != 5 || one.first != "" && got[0] != ids[one.first] {
			t.Errorf("%q at %s: %v, want all and %s first", one.query, one.anchor, got, ids[one.first])
		}
		d := c.Diagnostics
		if !d.Anchor.Equal(anchor) || (d.Window == nil) != (one.from == "") {
			t.Errorf("%q at %s: anchor %v, window %v", one.query, one.anchor, d.Anchor, d.Window)
		} else if d.Window != nil && (d.Window.From.Format(time.DateOnly) != one.from || d.Window.To.Format(time.DateOnly) != one.to) {
			t.Errorf("%q at %s: window %v", one.query, one.anchor, d.Window)
		}
	}
}

// In deterministic mode the anchor is now: for validity too.
func TestR082TheAnchorIsNowInDeterministicMode(t *testing.T) {
	w := newWorld(t)
	ended := w.add("The winter ferry runs.", until(start.Add(-time.Hour)))
	runs := w.add("The summer ferry runs.", until(start.Add(48*time.Hour)))
	w.sync(here)
	for _, one := range []struct {
		at     time.Time
		want   []string
		hidden int
	}{
		{start.Add(-2 * time.Hour), []string{ended, runs}, 0},
		{start.Add(-time.Hour), []string{runs}, 1},
		{start.Add(48 * time.Hour), nil, 2},
	} {
		c := w.ask("ferry", in(Deterministic), anchored(one.at))
		if c.holds(t, one.want...); c.SupersededHidden != one.hidden {
			t.Errorf("%v: %d hidden", one.at, c.SupersededHidden)
		}
		other := w.ask("ferry", anchored(one.at)).ids()
		if !slices.Equal(other, []string{runs}) {
			t.Errorf("the other modes have a clock: %v", other)
		}
	}
}
