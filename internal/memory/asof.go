package memory

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Axis is a clock of as-of reads (R0.16).
type Axis string

// The axes.
const (
	ValidAxis    Axis = "valid"    // what was true in the world at T, as known now
	RecordedAxis Axis = "recorded" // what the service knew at T
	BothAxes     Axis = "both"     // what it knew at T about T
)

// AsOf is a past (or future) instant on one or both clocks.
type AsOf struct {
	At   time.Time
	Axis Axis
}

// View is a memory as an as-of read shows it. On the recorded clock version, content
// and edition are those of then, and updatedAt is when that text became current if
// anything has changed since; all else is as it is today.
type View struct {
	*Memory      // nil: there is nothing to show
	Past    bool // superseded by then: shown only where superseded ones are
}

// Views answers how each of the memories stood (R0.15 to R0.17, R0.73). Only of those
// that were edited since it reads versions: one a memory in each of a few rounds,
// and those of all memories together. Memories of layer Tenant may be of another
// workspace than scope's.
//
// What is deleted or in quarantine shows nothing, nor does on the recorded clock what
// was in quarantine then. Whether the run of an entry of layer Session was cleared
// since is for the caller to know.
func Views(ctx context.Context, s store.Store, scope tenant.Scope, list []*Memory, a AsOf) ([]View, error) {
	out := make([]View, len(list))
	var edited []*lookback
	for i, m := range list {
		if m == nil || !m.stood(a) {
			continue
		}
		out[i] = View{Memory: m, Past: m.wasPast(a)}
		if a.Axis == ValidAxis || !a.At.Before(m.UpdatedAt) {
			continue
		}
		out[i].Memory = m.unchanged()
		if a.At.Before(m.Edition.At) {
			edited = append(edited, &lookback{view: &out[i], scope: scope.Sibling(m.WorkspaceID), most: m.Version - 1})
		}
	}
	return out, textsOf(ctx, s, edited, a.At)
}

// stood tells whether there is anything of m at that instant.
func (m *Memory) stood(a AsOf) bool {
	if m.Status != Active && m.Status != Superseded {
		return false
	}
	if a.Axis != ValidAxis && (a.At.Before(m.Temporal.RecordedAt) || m.heldAt(a.At)) {
		return false
	}
	return a.Axis != ValidAxis && a.Axis != BothAxes || m.Temporal.validAt(a.At)
}

// validAt tells whether it was true in the world (R0.17).
func (t Temporal) validAt(at time.Time) bool {
	return (t.ValidFrom == nil || !at.Before(*t.ValidFrom)) && (t.ValidTo == nil || at.Before(*t.ValidTo))
}

// wasPast tells whether m was superseded at that instant.
func (m *Memory) wasPast(a AsOf) bool {
	t := m.Temporal
	if m.Status != Superseded || t.SupersededAt == nil {
		return false
	}
	switch a.Axis {
	case ValidAxis:
		return !a.At.Before(t.replacedNow())
	case BothAxes:
		return !a.At.Before(*t.SupersededAt) && !a.At.Before(t.replaced(a.At))
	}
	return !a.At.Before(*t.SupersededAt)
}

// unchanged is a copy of m from when its current text became that.
func (m *Memory) unchanged() *Memory {
	then := *m
	then.UpdatedAt = m.Edition.At
	return &then
}
