package ratelimit

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/clock"
)

func newLimiter(o Options) (*Limiter, *clock.Fixed) {
	c := clock.NewFixed(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	o.Clock = c
	return New(o), c
}

func caller(kind, key string) apikey.Principal {
	return apikey.Principal{Kind: kind, KeyID: key, TenantID: "t"}
}

// passed counts how many of n calls in a row are allowed.
func passed(l *Limiter, p apikey.Principal, n int) (count int) {
	for range n {
		if _, ok := l.Allow(p); ok {
			count++
		}
	}
	return count
}

func TestT14BurstIsTheMinutesFigureAndAPersonsTenTimesThat(t *testing.T) {
	l, _ := newLimiter(Options{KeyPerMinute: 600, TenantPerMinute: 60000})
	for _, test := range []struct {
		p    apikey.Principal
		want int
	}{{caller(apikey.Agent, "a"), 600}, {caller(apikey.Agent, "b"), 600}, {caller(apikey.Person, "c"), 6000}, {caller(apikey.Root, "root"), 10000}} {
		if got := passed(l, test.p, 10000); got != test.want {
			t.Errorf("%s %s: %d of 10000", test.p.Kind, test.p.KeyID, got)
		}
	}
}

func TestT14TokensComeBackAtTheRate(t *testing.T) {
	l, c := newLimiter(Options{KeyPerMinute: 60})
	p := caller(apikey.Agent, "a")
	passed(l, p, 60)
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{999 * time.Millisecond, 0}, {time.Millisecond, 1}, {10 * time.Second, 10}, {time.Hour, 60}} {
		c.Advance(step.after)
		if got := passed(l, p, 100); got != step.want {
			t.Errorf("after %v: %d", step.after, got)
		}
	}
}

func TestT14RetryAfterIsAtLeastASecondAndThenOneCallPasses(t *testing.T) {
	for _, perMinute := range []int{1, 7, 60, 600} {
		l, c := newLimiter(Options{KeyPerMinute: perMinute})
		p := caller(apikey.Agent, "a")
		passed(l, p, perMinute)
		wait, ok := l.Allow(p)
		if ok || wait < time.Second || wait > time.Minute {
			t.Errorf("%d a minute: wait %v, %v", perMinute, wait, ok)
		}
		c.Advance(wait)
		if _, ok := l.Allow(p); !ok {
			t.Errorf("%d a minute: refused after the wait", perMinute)
		}
	}
}

func TestT14TenantsLimitCountsAllItsKeys(t *testing.T) {
	l, _ := newLimiter(Options{KeyPerMinute: 50, TenantPerMinute: 120})
	one, two, three := caller(apikey.Agent, "a"), caller(apikey.Agent, "b"), caller(apikey.Agent, "c")
	other := apikey.Principal{Kind: apikey.Agent, KeyID: "d", TenantID: "other"}
	for _, test := range []struct {
		p    apikey.Principal
		want int
	}{{one, 50}, {two, 50}, {three, 20}, {other, 50}} {
		if got := passed(l, test.p, 80); got != test.want {
			t.Errorf("key %s: %d", test.p.KeyID, got)
		}
	}
}

func TestT14RefusedCallTakesNoToken(t *testing.T) {
	l, c := newLimiter(Options{KeyPerMinute: 60, TenantPerMinute: 60})
	passed(l, caller(apikey.Agent, "a"), 60)
	fresh := caller(apikey.Agent, "b") // its tenant's bucket is empty, its own is full
	if got := passed(l, fresh, 1000); got != 0 {
		t.Fatalf("%d passed", got)
	}
	c.Advance(time.Minute)
	if got := passed(l, fresh, 1000); got != 60 {
		t.Errorf("%d passed after a minute", got)
	}
}

func TestT14ZeroIsOff(t *testing.T) {
	l, _ := newLimiter(Options{})
	if got := passed(l, caller(apikey.Agent, "a"), 5000); got != 5000 {
		t.Errorf("both off: %d", got)
	}
	l, _ = newLimiter(Options{TenantPerMinute: 10})
	if got := passed(l, caller(apikey.Agent, "a"), 50); got != 10 {
		t.Errorf("the keys' off: %d", got)
	}
}

func TestRatesBeyondTheClockAreCapped(t *testing.T) {
	for _, n := range []int{MaxPerMinute, MaxPerMinute + 1, math.MaxInt / PersonFactor} {
		l, _ := newLimiter(Options{KeyPerMinute: n})
		if got := passed(l, caller(apikey.Person, "a"), 1000); got != 1000 {
			t.Errorf("%d a minute: %d", n, got)
		}
	}
}

func TestClockThatStepsBackLocksNobodyOut(t *testing.T) {
	l, c := newLimiter(Options{KeyPerMinute: 60})
	p := caller(apikey.Agent, "a")
	passed(l, p, 60)
	c.Advance(-24 * time.Hour)
	if wait, ok := l.Allow(p); ok || wait > time.Minute {
		t.Errorf("wait %v, %v", wait, ok)
	}
	c.Advance(time.Minute)
	if got := passed(l, p, 100); got < 59 {
		t.Errorf("%d passed a minute later", got)
	}
}

func TestMemoryIsBoundedAndFullBucketsGoFirst(t *testing.T) {
	l, c := newLimiter(Options{KeyPerMinute: 60, Buckets: 10})
	for n := range 9 {
		passed(l, caller(apikey.Agent, fmt.Sprint("idle", n)), 1)
	}
	c.Advance(time.Second) // those are full again
	busy := caller(apikey.Agent, "busy")
	passed(l, busy, 60)
	for n := range 500 {
		l.Allow(caller(apikey.Agent, fmt.Sprint("late", n)))
		if len(l.byKey.fulls) > 10 {
			t.Fatalf("%d buckets", len(l.byKey.fulls))
		}
		if n == 5 && passed(l, busy, 1) != 0 {
			t.Error("a bucket in use went before full ones")
		}
	}
}

func TestConcurrentCallsPassNoMoreThanTheRate(t *testing.T) {
	l, _ := newLimiter(Options{KeyPerMinute: 500, TenantPerMinute: 700})
	var total atomic.Int64
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() { total.Add(int64(passed(l, caller(apikey.Agent, fmt.Sprint(n%2)), 200))) })
	}
	wg.Wait()
	if total.Load() != 700 {
		t.Errorf("%d passed", total.Load())
	}
}

func BenchmarkAllow(b *testing.B) {
	l, _ := newLimiter(Options{KeyPerMinute: MaxPerMinute, TenantPerMinute: MaxPerMinute})
	p := caller(apikey.Agent, "0190c4a2-7e15-7b3c-9d21-5f60718293a4")
	b.ReportAllocs()
	for b.Loop() {
		l.Allow(p)
	}
}
