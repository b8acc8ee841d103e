package clock

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestT39TheShiftedClockOnlyGoesForward(t *testing.T) {
	var c Shifted
	before := c.Now()
	if at := c.Advance(time.Hour); at.Sub(before) < time.Hour || at.Location() != time.UTC {
		t.Fatalf("%v after %v", at, before)
	}
	if at := c.Advance(-2 * time.Hour); at.Sub(before) < time.Hour {
		t.Fatalf("stepped back to %v", at)
	}
}

func TestTheFixedClockStandsStill(t *testing.T) {
	at := time.Date(2026, 5, 1, 11, 0, 0, 0, time.FixedZone("", 7200))
	c := NewFixed(at)
	if !c.Now().Equal(at) || c.Now().Location() != time.UTC {
		t.Fatal(c.Now())
	}
	c.Advance(time.Minute)
	if c.Now().Sub(at) != time.Minute {
		t.Fatal(c.Now())
	}
}

func TestPauseEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Pause(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := Pause(t.Context(), time.Microsecond); err != nil {
		t.Fatal(err)
	}
}

func TestWithinLeavesHalfOfWhatIsLeft(t *testing.T) {
	for _, c := range []struct{ deadline, limit, want time.Duration }{
		{0, time.Minute, time.Minute}, {time.Minute, time.Second, time.Second}, {time.Minute, time.Hour, 30 * time.Second}, {-time.Second, time.Hour, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, begun := t.Context(), time.Now()
			if c.deadline != 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.deadline)
				defer cancel()
			}
			within, cancel := Within(ctx, c.limit)
			defer cancel()
			<-within.Done()
			if took := time.Since(begun); took != c.want {
				t.Errorf("%v of %v: ended after %v, want %v", c.limit, c.deadline, took, c.want)
			}
		})
	}
}
