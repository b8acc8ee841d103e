package clock

import (
	"context"
	"errors"
	"testing"
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
