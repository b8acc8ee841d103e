package boltstore

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

// Bounds of a group: enough to share a flush, little enough that the first one
// in it is not held up for long.
const (
	maxGroup      = 512
	maxGroupBytes = 8 << 20
	queueRoom     = 128
)

// pending is a commit on its way through the writer.
type pending struct {
	steps []step
	bytes int
	state atomic.Int32
	done  chan error // takes the one answer
}

// The states of a pending commit. It leaves waiting once: taken by the writer, or
// left by its caller.
const (
	waiting int32 = iota
	taken
	left
)

// Commit implements store.Store. When ctx ends first its error is answered: a
// commit that no group has taken by then will never happen, otherwise the outcome
// is unknown.
func (s *Store) Commit(ctx context.Context, tx store.Tx) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := tx.Validate(); err != nil {
		return err
	}
	p := prepare(tx)
	if err := s.submit(ctx, p); err != nil {
		return err
	}
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return p.leave(ctx.Err())
	}
}

// leave ends a caller's wait: with the answer if there is one, else with the
// context's error.
func (p *pending) leave(err error) error {
	if p.state.CompareAndSwap(waiting, left) {
		return err
	}
	select {
	case answer := <-p.done:
		return answer
	default:
		return err
	}
}

func (s *Store) submit(ctx context.Context, p *pending) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return store.ErrClosed
	}
	select {
	case s.queue <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write is the writer: it runs groups until the queue is closed and empty.
func (s *Store) write() {
	defer close(s.done)
	group := make([]*pending, 0, maxGroup)
	for p := range s.queue {
		group = s.gather(append(group[:0], p))
		s.run(group)
	}
}

// gather takes what else waits, without waiting for more.
func (s *Store) gather(group []*pending) []*pending {
	bytes := group[0].bytes
	for len(group) < maxGroup && bytes < maxGroupBytes {
		select {
		case p, open := <-s.queue:
			if !open {
				return group
			}
			group = append(group, p)
			bytes += p.bytes
		default:
			return group
		}
	}
	return group
}

// run commits a group and answers each member.
func (s *Store) run(group []*pending) {
	answers := make([]error, len(group))
	err := s.refusal()
	if err == nil {
		err = s.commit(group, answers)
	}
	for i, p := range group {
		if err != nil {
			answers[i] = err
		}
		p.done <- answers[i]
	}
}

func (s *Store) refusal() error {
	if failed := s.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// commit applies a group in one transaction. Its error is of the transaction as a
// whole; then no answer counts, not even a failed condition, which may have been
// seen on top of a neighbour that did not happen.
func (s *Store) commit(group []*pending, answers []error) error {
	err := guard(func() (err error) {
		tx, err := s.db.Begin(true)
		if err != nil {
			return err
		}
		defer func() {
			if tx.DB() != nil { // not ended: nothing to write, an error or a panic
				err = errors.Join(err, tx.Rollback())
			}
		}()
		changed, err := s.fill(tx, group, answers)
		if err != nil || !changed {
			return err
		}
		return tx.Commit()
	})
	if isFlush(err) || errors.Is(err, ErrCorrupt) {
		s.fail(err)
	}
	return mapUse(err)
}

// fail makes the store refuse further commits: after a failed flush or a panic
// halfway, what is in memory may differ from the file.
func (s *Store) fail(err error) {
	if isFlush(err) {
		err = fmt.Errorf("%w: %w", ErrFailed, err)
	}
	s.failed.Store(&err)
}

// fill applies each member, in the order of arrival, and tells whether there is
// anything to write.
func (s *Store) fill(tx *bbolt.Tx, group []*pending, answers []error) (changed bool, err error) {
	t := openTables(tx)
	for i, p := range group {
		if !p.state.CompareAndSwap(waiting, taken) {
			continue
		}
		var writes []write
		answers[i] = guard(func() (err error) {
			writes, err = t.plan(p.steps)
			return err
		})
		if answers[i] != nil {
			if errors.Is(answers[i], ErrCorrupt) {
				s.harmed.Store(true)
			}
			continue
		}
		if err := t.apply(writes); err != nil {
			return false, err
		}
		changed = changed || len(writes) > 0
	}
	return changed, nil
}
