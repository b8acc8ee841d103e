package recall

import (
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
)

// circuit is a breaker with its clock.
type circuit struct {
	*Breaker
	clock *clock.Fixed
}

func newCircuit() circuit {
	c := clock.NewFixed(start)
	return circuit{NewBreaker(c), c}
}

// pass asks once and says what became of it; false: not let through.
func (c circuit) pass(o outcome) bool {
	end, ok := c.begin()
	if ok {
		end(o)
	}
	return ok
}

func (c circuit) open(t *testing.T) circuit {
	t.Helper()
	for i := range breakAfter {
		end, ok := c.begin()
		if broke := end(failed); !ok || broke != (i == breakAfter-1) {
			t.Fatalf("failure %d: let through %v, broke %v", i, ok, broke)
		}
	}
	return c
}

func TestTheBreakerOpensAfterFailuresInARow(t *testing.T) {
	c := newCircuit()
	for range 3 {
		for range breakAfter - 1 {
			c.pass(failed)
		}
		c.pass(nothingSaid)
		if !c.pass(answered) {
			t.Fatal("open after fewer failures")
		}
	}
	c.open(t)
	c.clock.Advance(breakFor - 1)
	if c.pass(answered) {
		t.Error("let through while open")
	}
}

func TestTheBreakerTriesOneAtATime(t *testing.T) {
	c := newCircuit().open(t)
	c.clock.Advance(breakFor)
	end, ok := c.begin()
	if !ok || c.pass(answered) {
		t.Fatal("not exactly one is let through")
	}
	if end(failed) {
		t.Error("broke again: it was not mended")
	}
	if c.pass(answered) {
		t.Error("let through after a trial that failed")
	}
	c.clock.Advance(breakFor)
	if !c.pass(nothingSaid) || !c.pass(answered) {
		t.Error("after a trial that says nothing the next may not try")
	}
	for range 9 {
		if !c.pass(answered) {
			t.Error("not closed by a trial that was answered")
		}
	}
}

// Whoever asks anyway, or began before, moves the circuit too but ends no trial.
func TestTheBreakerHearsOfThoseThatAskAnyway(t *testing.T) {
	c := newCircuit()
	before, _ := c.begin()
	c.open(t)
	c.clock.Advance(breakFor)
	trial, _ := c.begin()
	before(failed)
	c.clock.Advance(breakFor)
	if c.pass(answered) {
		t.Error("a second trial beside the first")
	}
	trial(failed)
	anyway, ok := c.begin()
	if ok {
		t.Error("let through")
	}
	if anyway(answered); !c.pass(answered) {
		t.Error("an answer did not close the circuit")
	}
}

func TestNoBreakerLetsAllThrough(t *testing.T) {
	var none *Breaker
	for range 2 * breakAfter {
		if end, ok := none.begin(); !ok || end(failed) {
			t.Error("held back")
		}
	}
}

func TestTheBreakerIsSafeForConcurrentUse(t *testing.T) {
	c := newCircuit()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 200 {
				c.pass([]outcome{answered, failed, failed, failed, failed, nothingSaid}[(n+i)%6])
				c.clock.Advance(time.Second)
			}
		})
	}
	group.Wait()
	c.clock.Advance(breakFor)
	for range 2 {
		if !c.pass(answered) {
			t.Error("a trial was never ended")
		}
	}
}
