package search_test

import (
	"math"
	"testing"

	"holdfast/internal/search"
)

func TestReciprocalRanks(t *testing.T) {
	got := search.ReciprocalRanks(60, []string{"a", "b"}, []string{"b"})
	if len(got) != 2 || math.Abs(got["a"]-1./61) > 1e-12 || math.Abs(got["b"]-(1./62+1./61)) > 1e-12 {
		t.Errorf("got %v", got)
	}
}

func TestZScores(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{nil, nil},
		{[]float64{.1, .1, .1}, []float64{0, 0, 0}},
		{[]float64{1, 3}, []float64{-1, 1}},
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, []float64{-1.5, -.5, -.5, -.5, 0, 0, 1, 2}},
	} {
		got := search.ZScores(c.values)
		if len(got) != len(c.want) {
			t.Fatalf("got %v", got)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("z-scores of %v: %v, want %v", c.values, got, c.want)
			}
		}
	}
}

func TestFuseZScoresWeighsByShare(t *testing.T) {
	got := search.FuseZScores(.75, []float64{1, 3}, []float64{30, 10})
	if math.Abs(got[0]+.5) > 1e-12 || math.Abs(got[1]-.5) > 1e-12 {
		t.Errorf("got %v", got)
	}
}
