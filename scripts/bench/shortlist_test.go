package main

import (
	"testing"

	"holdfast/scripts/bench/made"
)

// Of few texts the index compares all vectors, so it finds what a comparison of all finds.
func TestOfFewTextsTheIndexFindsTheNearest(t *testing.T) {
	talks := made.Sets()[0].Talks
	n, err := newNearest(t.Context(), talks, 450)
	if err != nil {
		t.Fatal(err)
	}
	if len(n.vectors) != 450 {
		t.Fatalf("%d texts", len(n.vectors))
	}
	row, err := n.measure(t.Context(), talks)
	if err != nil {
		t.Fatal(err)
	}
	for i, share := range row.Found {
		if share < .999 || share > 1 {
			t.Errorf("%.4f of the %d nearest", share, nearestOf[i])
		}
	}
}

// A comparison that is worse shows: half of what is nearest is not found.
func TestWhatIsNotFoundCounts(t *testing.T) {
	if got := recallAt([]string{"a", "x"}, those([]string{"a", "b"}), proposed); got != .5 {
		t.Errorf("%v", got)
	}
}
