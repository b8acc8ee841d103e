package memory

import (
	"context"

	"holdfast/internal/erasure"
	"holdfast/internal/errs"
)

// ErasureStatus is where an erasure stands (R0.45).
type ErasureStatus = erasure.Status

// The states.
const (
	ErasureNone     = erasure.None
	ErasurePending  = erasure.Pending
	ErasureComplete = erasure.Complete
	ErasureDead     = erasure.Dead
)

// Erasure is the record of an item's erasure.
type Erasure = erasure.Record

// Erasure tells where the erasure of a memory stands, to callers who see it or
// could see it before it was deleted (S0.51 to S0.54).
func (s *Service) Erasure(ctx context.Context, t Target, id string, asked Subject) (Erasure, error) {
	m, gone, err := s.rowOf(ctx, t.Scope, id)
	if err != nil {
		return Erasure{}, errs.Unread(err)
	}
	switch {
	case m == nil:
		return Erasure{}, errs.Missing()
	case !m.IsDeleted():
		if !m.Visible(t.Caller, asked) {
			return Erasure{}, errs.Missing()
		}
		if gone { // the sweep has yet to come to it
			return Erasure{Status: ErasurePending}, nil
		}
		return Erasure{Status: ErasureNone}, nil
	}
	h, err := s.Hasher(ctx, t.Scope)
	if err != nil {
		return Erasure{}, err
	}
	if !m.knownTo(t.Caller, h.Subject(asked)) {
		return Erasure{}, errs.Missing()
	}
	e, found, err := erasure.Read(ctx, s.Store, t.Scope, id)
	if err == nil && !found {
		return Erasure{}, errs.Missing()
	}
	return e, errs.Unread(err)
}
