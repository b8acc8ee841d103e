package recall

import (
	"sync"
	"time"

	"holdfast/internal/clock"
)

// Breaker keeps retrieves from waiting for a semantic arm that is away (a circuit
// breaker: M. Nygard, Release It!, 2007). After breakAfter failures in a row the arm is
// left out for breakFor; then one retrieve at a time tries whether it is back, and its
// answer closes the circuit. Nil lets all through. It is safe for concurrent use.
type Breaker struct {
	clock clock.Clock

	mu       sync.Mutex
	failures int       // in a row
	until    time.Time // left out until then, from breakAfter failures on
	trying   bool      // one retrieve tries
}

const (
	breakAfter = 3
	breakFor   = 10 * time.Second
)

// NewBreaker makes one that is closed.
func NewBreaker(c clock.Clock) *Breaker { return &Breaker{clock: c} }

// outcome is what a retrieve can say of the arm.
type outcome int

const (
	nothingSaid outcome = iota // the request ended first, or the whole index is away
	answered
	failed
)

// begin tells whether to ask the arm. Who may, or asks it anyway, says once what became
// of it; end tells when that was the failure from which on the arm is left out.
func (b *Breaker) begin() (end func(outcome) (broke bool), ok bool) {
	if b == nil {
		return func(outcome) bool { return false }, true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	closed := b.failures < breakAfter
	trial := !closed && !b.trying && !b.clock.Now().Before(b.until)
	b.trying = b.trying || trial
	return func(o outcome) bool { return b.end(o, trial) }, closed || trial
}

func (b *Breaker) end(o outcome, trial bool) (broke bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if trial {
		b.trying = false
	}
	switch o {
	case answered:
		b.failures = 0
	case failed:
		b.failures++
		b.until = b.clock.Now().Add(breakFor)
	}
	return o == failed && b.failures == breakAfter
}
