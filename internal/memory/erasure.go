package memory

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// ErasureStatus is where an erasure stands (R0.45).
type ErasureStatus string

// The states.
const (
	ErasureNone     ErasureStatus = "none"     // never deleted
	ErasurePending  ErasureStatus = "pending"  // some step is open
	ErasureComplete ErasureStatus = "complete" // no copy is left; never changes again
	ErasureDead     ErasureStatus = "dead"     // tries used up; deleting again resumes it
)

// Erasure is the record of an item's erasure.
type Erasure struct {
	Status      ErasureStatus
	Attempts    int
	RequestedAt time.Time
	ErasedAt    *time.Time // set with ErasureComplete
	JobID       string     // of the job that erases
}

const (
	attrAttempts  = "n"
	attrRequested = "req"
	attrErased    = "at"
	attrJob       = "job"
)

// ErasureItem is the record's row.
func ErasureItem(scope tenant.Scope, id string, e Erasure) store.Item {
	attrs := store.Attrs{
		attrStatus:    store.S(string(e.Status)),
		attrAttempts:  store.N(int64(e.Attempts)),
		attrRequested: store.N(e.RequestedAt.UnixMilli()),
		attrJob:       store.S(e.JobID),
	}
	if e.ErasedAt != nil {
		attrs[attrErased] = store.N(e.ErasedAt.UnixMilli())
	}
	return store.Item{Key: keys.Erasure(scope, id), Attrs: attrs}
}

// ErasureStill is the condition that an erasure's record has this status still:
// of two workers at one erasure only one moves it on.
func ErasureStill(status ErasureStatus) *store.Cond {
	return store.IfEqual(attrStatus, store.S(string(status)))
}

// DecodeErasure reads the record's row.
func DecodeErasure(item store.Item) Erasure {
	e := Erasure{
		Status:      ErasureStatus(item.Attrs.Text(attrStatus)),
		Attempts:    int(item.Attrs.Int(attrAttempts)),
		RequestedAt: time.UnixMilli(item.Attrs.Int(attrRequested)).UTC(),
		JobID:       item.Attrs.Text(attrJob),
	}
	if _, done := item.Attrs[attrErased]; done {
		at := time.UnixMilli(item.Attrs.Int(attrErased)).UTC()
		e.ErasedAt = &at
	}
	return e
}

// ReadErasure reads the record of an item's erasure.
func ReadErasure(ctx context.Context, s store.Store, scope tenant.Scope, id string) (Erasure, bool, error) {
	item, found, err := s.Get(ctx, keys.Erasure(scope, id))
	if err != nil || !found {
		return Erasure{}, false, err
	}
	return DecodeErasure(item), true, nil
}

// Erasure tells where the erasure of a memory stands, to callers who see it or
// could see it before it was deleted (S0.51 to S0.54).
func (s *Service) Erasure(ctx context.Context, t Target, id string, asked Subject) (Erasure, error) {
	m, gone, err := s.rowOf(ctx, t.Scope, id)
	if err != nil {
		return Erasure{}, unread(err)
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
	e, found, err := ReadErasure(ctx, s.Store, t.Scope, id)
	if err == nil && !found {
		return Erasure{}, errs.Missing()
	}
	return e, unread(err)
}
