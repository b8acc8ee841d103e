package rank

import (
	"math"
	"testing"
)

func TestR011RescoredMovesAScoreByItsOdds(t *testing.T) {
	for _, one := range []struct{ score, opinion, want float64 }{
		{.5, .5, .5}, {.5, 1, .75}, {.5, 0, .25}, {0, 1, 0}, {1, 0, 1}, {.2, .5, .2}, {.9, 1, .9643}, {.1, 0, .0357},
		{2, 3, 1}, {-1, -1, 0},
	} {
		if got := Rescored(one.score, one.opinion); math.Abs(got-one.want) > 1e-4 {
			t.Errorf("%v with %v: %v, want %v", one.score, one.opinion, got, one.want)
		}
	}
}

func TestR081RescoredNeverLeavesItsRangeOrTurnsRound(t *testing.T) {
	for i := range 101 {
		for j := range 101 {
			s, o := float64(i)/100, float64(j)/100
			got := Rescored(s, o)
			if got < 0 || got > 1 || Rescored(s+.01, o) < got-1e-15 || Rescored(s, o+.01) < got-1e-15 {
				t.Fatalf("%v with %v: %v", s, o, got)
			}
		}
	}
}
