package search_test

import (
	"fmt"
	"slices"
	"testing"

	"holdfast/internal/search"
)

func TestWeighingKeepsTheRarestInTheirOrder(t *testing.T) {
	var terms []string
	falling, even := search.Stats{DF: map[string]int{}}, search.Stats{DF: map[string]int{}}
	for i := range 10 * search.MaxTerms {
		terms = append(terms, fmt.Sprint("t", i))
		falling.DF[terms[i]], even.DF[terms[i]] = 2000-i, 5
	}
	for name, c := range map[string]struct {
		stats search.Stats
		want  []string
	}{
		"rarest": {falling, terms[9*search.MaxTerms:]}, "of equals the first": {even, terms[:search.MaxTerms]},
	} {
		if got := search.Weighing(terms, c.stats); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWeighingLeavesShortQueriesAndKeepsSomeThatNobodyHolds(t *testing.T) {
	stats := search.Stats{DF: map[string]int{"kiln": 7}}
	if got := search.Weighing([]string{"unknown", "kiln"}, stats); !slices.Equal(got, []string{"unknown", "kiln"}) {
		t.Errorf("%q", got)
	}
	var terms []string
	for i := range 3 * search.MaxTerms {
		terms = append(terms, fmt.Sprint("unknown", i))
	}
	got := search.Weighing(append(terms, "kiln"), stats)
	if len(got) != search.MaxTerms+1 || !slices.Equal(got[:search.MaxTerms], terms[:search.MaxTerms]) || got[search.MaxTerms] != "kiln" {
		t.Errorf("%d terms", len(got))
	}
}
