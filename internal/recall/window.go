package recall

import (
	"holdfast/internal/memory"
	"holdfast/internal/search"
)

// window is the request's window over the time of the event, as the index
// understands it; nil: there is none.
func (r Request) window(g grain) []search.Filter {
	if r.After == nil && r.Before == nil {
		return nil
	}
	f := search.Filter{Time: memory.TimeEvent}
	if r.After != nil {
		f.Since = g.since(*r.After)
	}
	if r.Before != nil {
		f.Before = instant(ceilMicro(*r.Before))
	}
	return []search.Filter{f}
}

// inWindow tells whether a memory's event lies in the window (R0.18).
func (r Request) inWindow(m *memory.Memory) bool {
	at := m.Temporal.EventTime()
	return (r.After == nil || !at.Before(*r.After)) && (r.Before == nil || at.Before(*r.Before))
}
