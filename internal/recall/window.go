package recall

import (
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/search"
)

// window is the request's window over the time of the event, as the index
// understands it; nil: there is none. The index compares whole microseconds, so the
// bounds are widened to such; inWindow decides.
func (r Request) window() []search.Filter {
	if r.After == nil && r.Before == nil {
		return nil
	}
	f := search.Filter{Time: memory.TimeEvent}
	if r.After != nil {
		f.Since = floorMicro(*r.After)
	}
	if r.Before != nil {
		f.Before = ceilMicro(*r.Before)
	}
	return []search.Filter{f}
}

// inWindow tells whether a memory's event lies in the window (R0.18).
func (r Request) inWindow(m *memory.Memory) bool {
	at := m.Temporal.EventTime()
	return (r.After == nil || !at.Before(*r.After)) && (r.Before == nil || at.Before(*r.Before))
}

func floorMicro(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// ceilMicro is never the zero instant, which filters take for an open bound.
func ceilMicro(at time.Time) time.Time {
	up := floorMicro(at.Add(time.Microsecond - 1))
	if up.IsZero() {
		return up.Add(time.Microsecond)
	}
	return up
}
