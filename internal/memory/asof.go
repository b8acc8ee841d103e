package memory

import (
	"context"
	"errors"
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

// View is a memory as an as-of read shows it.
type View struct {
	*Memory      // with the text, version and edition of then; nil: there is nothing to show
	Past    bool // superseded by then: shown only where superseded ones are
}

// Views answers how each of the memories stood (R0.15 to R0.17, R0.73), reading
// their versions where they have any.
func Views(ctx context.Context, s store.Store, scope tenant.Scope, list []*Memory, a AsOf) ([]View, error) {
	return nil, errors.New("memory: not built")
}
