package faultstore

import (
	"fmt"
	"testing"

	"holdfast/internal/store"
)

// kinds are the ways in which a call can fail.
var kinds = []struct {
	name  string
	fault Fault
}{
	{"unavailable before", Fault{Err: ErrUnavailable}},
	{"unavailable after", Fault{Err: ErrUnavailable, After: true}},
	{"throttled", Fault{Err: store.ErrThrottled}},
	{"conflict", Fault{Err: store.ErrConflict, Ops: []Op{Commit}}},
}

// most is a bound on the calls of one use case, so that one that tries for ever
// ends as a failed test.
const most = 500

// Sweep runs a use case with a fault at its first store call, its second and so
// on, for each kind of fault, until a run ends without meeting one. Each run has
// its own subtest and a fresh store (which fresh may fill; the fault counts
// from the moment use is called). use performs the use case, as its caller
// would (with its retries), and then checks what must hold; it calls Disarm before
// it reads for the checks.
func Sweep(t *testing.T, fresh func(t testing.TB) store.Store, use func(t *testing.T, s *Store)) {
	t.Helper()
	for _, kind := range kinds {
		fault := kind.fault
		for fault.At = 1; sweepOne(t, kind.name, fault, fresh, use); fault.At++ {
			if fault.At == most {
				t.Fatalf("%s: more than %d calls", kind.name, most)
			}
		}
	}
}

// sweepOne tells whether the fault was met.
func sweepOne(t *testing.T, name string, fault Fault, fresh func(t testing.TB) store.Store, use func(t *testing.T, s *Store)) bool {
	t.Helper()
	met := false
	t.Run(fmt.Sprintf("%s/%d", name, fault.At), func(t *testing.T) {
		s := New(fresh(t))
		s.Arm(fault)
		defer func() { met = s.Fired() > 0 }() // also when use ends the subtest
		use(t, s)
	})
	return met
}
