package rerank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCombine(t *testing.T) {
	for _, c := range []struct{ first, second, want float64 }{
		{.3, .5, .3}, {0, 1, 0}, {1, 0, 1}, {1, 1, 1},
		{.5, 1, .75}, {.5, 0, 1 - math.Sqrt(.5)}, {.01, 1, .0199}, {-1, 1, 0}, {2, .5, 1},
	} {
		got := Combine([]float64{c.first}, []float64{c.second})
		if math.Abs(got[0]-c.want) > 1e-9 {
			t.Errorf("%v with %v: %v, want %v", c.first, c.second, got[0], c.want)
		}
	}
}

func TestCombineKeepsWhatHasNoSecondScore(t *testing.T) {
	first := []float64{.9, .8, .7}
	got := Combine(first, []float64{1})
	if got[0] <= .9 || !slices.Equal(got[1:], []float64{.8, .7}) || !slices.Equal(first, []float64{.9, .8, .7}) {
		t.Errorf("%v of %v", got, first)
	}
	if got := Combine(nil, []float64{1, 1}); len(got) != 0 {
		t.Errorf("nothing became %v", got)
	}
}

func TestR081CombinedScoresStayAbsoluteAndInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 10000 {
		score, more, s := random.Float64(), random.Float64(), random.Float64()
		got := Combine([]float64{score, max(score, more), score}, []float64{s, s, max(s, random.Float64())})
		if slices.ContainsFunc(got, func(x float64) bool { return !(x >= 0 && x <= 1) }) || got[1] < got[0] || got[2] < got[0] {
			t.Fatalf("%v and %v with %v: %v", score, more, s, got)
		}
		if got[0] > 2*score+1e-12 || got[0] < score/2-1e-12 && score <= .5 {
			t.Fatalf("%v with %v: %v is out of its bounds", score, s, got[0])
		}
	}
}
