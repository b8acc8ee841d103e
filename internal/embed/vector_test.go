package embed

import (
	"math"
	"slices"
	"testing"
)

var notFinite = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}

func TestCosine(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float32
		want float64
	}{
		"same direction":       {[]float32{1, 2}, []float32{10, 20}, 1},
		"opposite":             {[]float32{1, 2}, []float32{-3, -6}, -1},
		"right angle":          {[]float32{1, 0}, []float32{0, 5}, 0},
		"60 degrees":           {[]float32{1, 0}, []float32{1, float32(math.Sqrt(3))}, .5},
		"zero vector":          {[]float32{0, 0}, []float32{1, 1}, 0},
		"two zero vectors":     {[]float32{0, 0}, []float32{0, 0}, 0},
		"other dimension":      {[]float32{1, 2}, []float32{1, 2, 0}, 0},
		"no dimension":         {nil, nil, 0},
		"largest and smallest": {[]float32{math.MaxFloat32, 0}, []float32{math.SmallestNonzeroFloat32, 0}, 1},
		"NaN":                  {[]float32{notFinite[0], 1}, []float32{1, 1}, 0},
		"infinite":             {[]float32{notFinite[1], 1}, []float32{1, 1}, 0},
	} {
		if got := Cosine(c.a, c.b); math.Abs(got-c.want) > 1e-7 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if got := Cosine(c.b, c.a); math.Abs(got-c.want) > 1e-7 {
			t.Errorf("%s, turned round: %v, want %v", name, got, c.want)
		}
	}
}

func TestDotOfUnitVectorsIsTheirCosine(t *testing.T) {
	for dimension := range 11 {
		a, b := make([]float32, dimension), make([]float32, dimension)
		for i := range a {
			a[i], b[i] = float32(i%5)-1.5, float32(i%3)-.5
		}
		if got, want := Dot(Normalize(a), Normalize(b)), Cosine(a, b); math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("dimension %d: %v, want %v", dimension, got, want)
		}
	}
	if got := Dot([]float32{1}, []float32{1, 1}); got != 0 {
		t.Errorf("other dimension: %v", got)
	}
}

func TestNormalize(t *testing.T) {
	for name, c := range map[string]struct{ vector, want []float32 }{
		"long":     {[]float32{3, -4}, []float32{.6, -.8}},
		"unit":     {[]float32{0, 1, 0}, []float32{0, 1, 0}},
		"zero":     {[]float32{0, 0}, []float32{0, 0}},
		"none":     {nil, nil},
		"huge":     {[]float32{math.MaxFloat32, math.MaxFloat32}, []float32{math.Sqrt2 / 2, math.Sqrt2 / 2}},
		"tiny":     {[]float32{math.SmallestNonzeroFloat32, 0}, []float32{1, 0}},
		"NaN":      {[]float32{notFinite[0], 1}, []float32{0, 0}},
		"infinite": {[]float32{1, notFinite[2]}, []float32{0, 0}},
	} {
		if got := Normalize(c.vector); !alike(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		} else if len(got) > 0 && &got[0] != &c.vector[0] {
			t.Errorf("%s: not in place", name)
		}
	}
}

func TestProfileNameIsFitForKeys(t *testing.T) {
	for model, want := range map[string]string{
		"static-minilm":   "static-minilm-8-v2",
		"maker/Model_3.1": "maker_Model_3.1-8-v2",
		"a#b é":           "a_b___-8-v2",
	} {
		if got := (Profile{Model: model, Dimension: 8, Version: 2}).Name(); got != want {
			t.Errorf("%q: %q, want %q", model, got, want)
		}
	}
}

func alike(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x)-float64(y)) < 1e-6 })
}

func BenchmarkDot256(b *testing.B) {
	x, y := make([]float32, 256), make([]float32, 256)
	x[3], y[3] = 1, 1
	for b.Loop() {
		Dot(x, y)
	}
}

func BenchmarkCosine256(b *testing.B) {
	x, y := make([]float32, 256), make([]float32, 256)
	x[3], y[3] = 1, 1
	for b.Loop() {
		Cosine(x, y)
	}
}
