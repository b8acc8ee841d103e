// Package faultstore wraps a store and fails chosen calls, so that a test can put
// a fault at every store call of a use case (Sweep). It may import store and
// testing.
package faultstore

import (
	"context"
	"errors"
	"slices"
	"sync"

	"holdfast/internal/store"
)

// ErrUnavailable is a failure whose outcome the caller cannot know.
var ErrUnavailable = errors.New("faultstore: unavailable")

// Op is a call of the port.
type Op string

// The calls.
const (
	Get     Op = "Get"
	GetMany Op = "GetMany"
	Query   Op = "Query"
	Due     Op = "Due"
	Commit  Op = "Commit"
)

// Fault says which call fails and how.
type Fault struct {
	At    int   // the call that fails, counted from 1 since Arm
	Times int   // how many in a row fail; 0: one
	Ops   []Op  // the calls that count; none: all
	Err   error // what the caller gets; nil: ErrUnavailable
	After bool  // the call takes effect, then fails: the outcome is unknown to the caller
	// Then, unless nil, is what somebody else does before the call, which does not fail.
	Then func()
}

// Store is a store with a fault. It is safe for concurrent use.
type Store struct {
	inner store.Store

	mu    sync.Mutex
	fault *Fault
	seen  int // calls that count since Arm
	calls map[Op]int
	fired int
}

var _ store.Store = (*Store)(nil)

// New wraps a store, without a fault.
func New(inner store.Store) *Store { return &Store{inner: inner, calls: make(map[Op]int)} }

// Arm sets a fault and counts from here. After together with ErrThrottled,
// ErrConflict, a bad request or a failed condition would break the port's promise
// that nothing happened, and panics.
func (s *Store) Arm(f Fault) {
	if f.Err == nil {
		f.Err = ErrUnavailable
	}
	if f.After && nothingHappened(f.Err) {
		panic("faultstore: " + f.Err.Error() + " means that nothing happened")
	}
	f.Times = max(f.Times, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.seen, s.fired = &f, 0, 0
}

func nothingHappened(err error) bool {
	var condition *store.ConditionError
	for _, promise := range []error{store.ErrThrottled, store.ErrConflict, store.ErrBadRequest, store.ErrTooLarge, store.ErrClosed} {
		if errors.Is(err, promise) {
			return true
		}
	}
	return errors.As(err, &condition)
}

// Disarm takes the fault away; counts stay.
func (s *Store) Disarm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = nil
}

// Fired answers how many calls have met the fault since Arm.
func (s *Store) Fired() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fired
}

// Calls answers how many calls of these kinds were made since New; without kinds,
// of all.
func (s *Store) Calls(ops ...Op) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := 0
	for op, n := range s.calls {
		if len(ops) == 0 || slices.Contains(ops, op) {
			total += n
		}
	}
	return total
}

// take counts a call and answers the fault that it meets, if any.
func (s *Store) take(op Op) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[op]++
	if s.fault == nil || len(s.fault.Ops) > 0 && !slices.Contains(s.fault.Ops, op) {
		return nil
	}
	s.seen++
	if s.seen < s.fault.At || s.seen >= s.fault.At+s.fault.Times {
		return nil
	}
	s.fired++
	return s.fault
}

// call makes a call with the fault it meets.
func (s *Store) call(op Op, inner func() error) error {
	fault := s.take(op)
	if fault == nil {
		return inner()
	}
	if fault.Then != nil {
		fault.Then()
		return inner()
	}
	if fault.After {
		if err := inner(); err != nil {
			return err
		}
	}
	return fault.Err
}

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key store.Key) (item store.Item, found bool, err error) {
	err = s.call(Get, func() (err error) {
		item, found, err = s.inner.Get(ctx, key)
		return err
	})
	if err != nil {
		return store.Item{}, false, err
	}
	return item, found, nil
}

// GetMany implements store.Store.
func (s *Store) GetMany(ctx context.Context, keys []store.Key) (items []*store.Item, err error) {
	err = s.call(GetMany, func() (err error) {
		items, err = s.inner.GetMany(ctx, keys)
		return err
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Query implements store.Store.
func (s *Store) Query(ctx context.Context, q store.Query) (store.Page, error) {
	return s.page(Query, func() (store.Page, error) { return s.inner.Query(ctx, q) })
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, q store.DueQuery) (store.Page, error) {
	return s.page(Due, func() (store.Page, error) { return s.inner.Due(ctx, q) })
}

func (s *Store) page(op Op, inner func() (store.Page, error)) (page store.Page, err error) {
	err = s.call(op, func() (err error) {
		page, err = inner()
		return err
	})
	if err != nil {
		return store.Page{}, err
	}
	return page, nil
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, tx store.Tx) error {
	return s.call(Commit, func() error { return s.inner.Commit(ctx, tx) })
}
