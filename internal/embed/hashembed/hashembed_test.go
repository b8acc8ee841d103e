package hashembed

import (
	"context"
	"testing"

	"holdfast/internal/embed"
	"holdfast/internal/embed/embedtest"
)

func TestPort(t *testing.T) {
	embedtest.Run(t, func(*testing.T) embed.Embedder { return New(256) }, nil)
}

func TestWordsThatCollideStillGiveAUnitVector(t *testing.T) {
	for _, dimension := range []int{1, 2, 3} {
		for _, text := range []string{"one two three", "four", "five six"} {
			if vector := vectorOf(t, New(dimension), text); embed.Cosine(vector, vector) == 0 {
				t.Errorf("dimension %d: %q has no direction", dimension, text)
			}
		}
	}
}

func TestSharedWordsDecideTheCosine(t *testing.T) {
	embedder := New(512)
	query := vectorOf(t, embedder, "green boat")
	for _, c := range []struct {
		text string
		want float64
	}{
		{"BOAT, green!", 1},
		{"Grëen boát", 1},
		{"ｇｒｅｅｎ boat", 1},
		{"green lamp", .5},
		{"yellow lamp", 0},
		{"... ?!", 0},
	} {
		if got := embed.Cosine(query, vectorOf(t, embedder, c.text)); got < c.want-1e-6 || got > c.want+1e-6 {
			t.Errorf("%q: cosine %v, want %v", c.text, got, c.want)
		}
	}
}

func TestDimensionBelowOnePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("dimension 0 was taken")
		}
	}()
	New(0)
}

func vectorOf(t *testing.T, embedder *Embedder, text string) []float32 {
	t.Helper()
	vectors, err := embedder.Embed(context.Background(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return vectors[0]
}
