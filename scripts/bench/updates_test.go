package main

import (
	"testing"

	"holdfast/scripts/bench/made"
)

func TestUpdatePairsAreCounted(t *testing.T) {
	cases := []struct {
		name         string
		newer        string
		shown, plain []string
		want         updateTally
	}{
		{"as it should be", "new", []string{"new", "old"}, []string{"new", "x"}, updateTally{1, 1, 1, 1, 0, 1}},
		{"older above", "new", []string{"old", "new"}, []string{"old", "new"}, updateTally{1, 0, 0, 0, 1, 1}},
		{"older fourth", "new", []string{"new", "a", "b", "old"}, []string{"new", "a", "b", "old"}, updateTally{1, 1, 1, 1, 0, 1}},
		{"newer second", "new", []string{"a", "new"}, []string{"a", "new", "old"}, updateTally{1, 1, 1, 0, 1, 1}},
		{"only the older", "new", []string{"old"}, []string{"a"}, updateTally{1, 0, 0, 0, 0, 0}},
		{"nothing", "new", nil, nil, updateTally{1, 0, 0, 0, 0, 0}},
		{"the oldest above", "new", []string{"oldest", "new", "old"}, []string{"new", "oldest"}, updateTally{1, 0, 1, 1, 1, 1}},
		{"merged into one", "old", []string{"old"}, []string{"old"}, updateTally{1, 0, 0, 0, 1, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got updateTally
			got.add(c.newer, []string{"oldest", "old"}, c.shown, c.plain)
			if got != c.want {
				t.Errorf("tally %+v, want %+v", got, c.want)
			}
		})
	}
	if row := (updateTally{pairs: 4, first: 3, stale: 1}).row(made.Half{Set: "plain", Name: "open"}, "hybrid"); row != (updateRow{"plain", "open", "hybrid", 4, 0, 0, .75, .25, 0}) {
		t.Errorf("row %+v", row)
	}
}
