package work_test

import (
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/work"
)

func TestTheLagIsTheAgeOfTheOldestRowThatNoIndexHasReached(t *testing.T) {
	w := newWorld(t)
	lag := work.Lag{Store: w.store, Cursors: w.indexer.Cursors, Clock: w.clock, Runner: w.runner}
	want := func(d time.Duration) {
		t.Helper()
		if got, err := lag.Oldest(t.Context()); err != nil || got.Round(time.Second) != d {
			t.Fatalf("lag %v, %v; want %v", got, err, d)
		}
	}
	want(0)
	w.add(fact("The first buoy is lit."))
	first, found, err := ledger.Log{Store: w.store}.Row(t.Context(), scope, 1)
	if err != nil || !found {
		t.Fatal(err)
	}
	w.clock.Advance(40 * time.Second)
	w.add(fact("The second buoy is dark.")) // moves the mark, not the lag
	w.clock.Advance(5 * time.Second)
	want(w.clock.Now().Sub(first.At).Round(time.Second))
	if err := w.indexer.Sync(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	want(0)
}
