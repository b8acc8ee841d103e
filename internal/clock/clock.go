// Package clock injects time. Everything that reads the time or waits takes a
// Clock; only this package and entry points touch the time package's clock.
package clock

import (
	"context"
	"sync"
	"time"
)

// Clock tells the time in UTC. Implementations are safe for concurrent use.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now answers the machine's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Shifted runs with the machine's clock plus an offset that only grows: the test
// clock of T.39.
type Shifted struct {
	mu     sync.RWMutex
	offset time.Duration
}

// Now answers the machine's time plus the offset.
func (s *Shifted) Now() time.Time {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return time.Now().UTC().Add(s.offset)
}

// Advance moves the clock forward and answers the new time. A negative step is
// taken as zero.
func (s *Shifted) Advance(step time.Duration) time.Time {
	s.mu.Lock()
	if step > 0 {
		s.offset += step
	}
	s.mu.Unlock()
	return s.Now()
}

// Fixed stands still until it is set: for tests.
type Fixed struct {
	mu sync.RWMutex
	at time.Time
}

// NewFixed makes a clock that shows at.
func NewFixed(at time.Time) *Fixed { return &Fixed{at: at.UTC()} }

// Now answers the set time.
func (f *Fixed) Now() time.Time {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.at
}

// Advance moves the fixed time by step.
func (f *Fixed) Advance(step time.Duration) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = f.at.Add(step)
	return f.at
}

// Pause waits for d, or answers why the context ended before.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Within limits a step that a request can do without, or with less of: to so long, and
// to half of what is left of the request's own time, so that what comes after has the
// other half. Deadlines are read on the machine's clock, as contexts do.
func Within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	return context.WithTimeout(ctx, limit)
}
