package rank

import (
	"slices"
	"testing"

	"holdfast/internal/search/analysis"
)

// What is past takes nothing from what holds: an older statement keeps what it has without
// it, wherever others stand.
func TestWhatIsPastReplacesNothingThatHolds(t *testing.T) {
	query := "What is the gate code?"
	all := noted(query, "The gate code is 1111.", "The gate code is 2222.")
	_, alone := order(query, all[:1], hybrid)
	for _, c := range []struct {
		past [2]bool
		want string
		kept bool // the older one's score
	}{
		{[2]bool{false, false}, "b", false},
		{[2]bool{false, true}, "a", true},
		{[2]bool{true, false}, "b", false},
		{[2]bool{true, true}, "b", false},
	} {
		all[0].Past, all[1].Past = c.past[0], c.past[1]
		all[1].Lexical = .9 * all[0].Lexical
		ids, scores := order(query, all, hybrid)
		if kept := scores[slices.Index(ids, "a")] == alone[0]; ids[0] != c.want || kept != c.kept {
			t.Errorf("past %v: %q %v, alone %v", c.past, ids, scores, alone)
		}
	}
}

// What held before two others gives its place to that of them which holds.
func TestOfTwoNewerTheOneThatHoldsTakesThePlace(t *testing.T) {
	query := "What is the gate code?"
	all := noted(query, "The gate code is 1111.", "The gate code is 2222.", "The gate code is 3333.")
	all[0].Past, all[2].Past = true, true
	all[1].Lexical, all[2].Lexical = .5*all[0].Lexical, .4*all[0].Lexical
	_, alone := order(query, all[:1], hybrid)
	if ids, scores := order(query, all, hybrid); ids[0] != "b" || scores[0] != alone[0] {
		t.Errorf("%q %v, want b with %v", ids, scores, alone)
	}
}

// Of one text what holds is kept, be it the worse one; what is past gives way.
func TestARepetitionOfWhatHoldsIsPast(t *testing.T) {
	past, holds, again := saying("3", "Nora", "The kiln is hot."), saying("2", "Emil", "The kiln is hot."), saying("1", "Emil", "The kiln is hot!")
	past.Past, past.Lexical = true, 2*holds.Lexical
	for _, c := range []struct {
		all  []Candidate
		want []string // ids of those that are lowered
	}{
		{[]Candidate{past, holds}, []string{"3"}},
		{[]Candidate{past, holds, again}, []string{"1", "3"}},
		{[]Candidate{past, saying("4", "Ida", "The kiln is red."), holds}, []string{"3"}},
		{[]Candidate{holds, again}, []string{"1"}},
	} {
		var lowered []string
		for _, one := range Order(analysis.Query("kiln"), c.all, statistics, hybrid) {
			if one.Parts.Repeated != 1 {
				lowered = append(lowered, c.all[one.Index].ID)
			}
		}
		if slices.Sort(lowered); !slices.Equal(lowered, c.want) {
			t.Errorf("lowered %q, want %q", lowered, c.want)
		}
	}
	holds.Past = true
	expect(t, "kiln", []Candidate{past, holds}, hybrid, "3", "2")
}
