package memory

import (
	"slices"
	"time"
)

// Period is a stretch of recorded time: From is in it, To is not.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

func (p Period) holds(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }

// Narrowing is what ReplacedFrom was before a value that arrived late came between:
// until At, on the recorded clock, the next value was known to begin at From (R0.85).
type Narrowing struct {
	At   time.Time `json:"at"`
	From time.Time `json:"from"`
}

// The most that HEAD keeps of each.
const (
	mostHeld     = 64
	mostNarrowed = 64
)

// narrow notes at a recorded time that the next value began earlier than was known.
// Beyond mostNarrowed the oldest belief is forgotten for the one after it.
func (t *Temporal) narrow(at, from time.Time) {
	t.Narrowed = append(slices.Clip(t.Narrowed), Narrowing{At: at, From: *t.ReplacedFrom})
	if over := len(t.Narrowed) - mostNarrowed; over > 0 {
		t.Narrowed = t.Narrowed[over:]
	}
	t.ReplacedFrom = &from
}

// replaced is when the next value began, as known at a recorded time.
func (t Temporal) replaced(at time.Time) time.Time {
	for _, n := range t.Narrowed {
		if at.Before(n.At) {
			return n.From
		}
	}
	return t.replacedNow()
}

// replacedNow is when the next value of a superseded one began, as known now. Where
// none is known to have begun it is when it was superseded.
func (t Temporal) replacedNow() time.Time {
	if t.ReplacedFrom == nil {
		return *t.SupersededAt
	}
	return *t.ReplacedFrom
}

// free ends a quarantine. Beyond mostHeld the two oldest periods become one: what
// lay between is shown no more, which is the safe side.
func (m *Memory) free(at time.Time) {
	m.Held = append(slices.Clip(m.Held), Period{From: m.Quarantine.At, To: at})
	if over := len(m.Held) - mostHeld; over > 0 {
		m.Held[over].From = m.Held[0].From
		m.Held = m.Held[over:]
	}
	m.Quarantine = nil
}

// hold puts m in quarantine for reasons, if there are any; one that is there already
// has been since then.
func (m *Memory) hold(at time.Time, reasons []string) {
	if len(reasons) == 0 {
		return
	}
	if m.Quarantine != nil {
		at = m.Quarantine.At
	}
	m.Status, m.Quarantine = Quarantined, &Quarantine{Reasons: reasons, At: at}
}

// heldAt tells whether m was in quarantine at a recorded time.
func (m *Memory) heldAt(at time.Time) bool {
	return slices.ContainsFunc(m.Held, func(p Period) bool { return p.holds(at) })
}

// after moves the write's recorded time behind the last change of m: of one memory
// the recorded clock never runs backwards, whatever the clocks of two processes say.
func (c *change) after(m *Memory) {
	c.at = c.since(m)
}
