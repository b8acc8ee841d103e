package rank

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/search/analysis"
)

// scored are statements of given scores, but for what features make of them.
func scored(query string, texts []string, scores []float64) []Candidate {
	all := noted(query, texts...)
	whole := maximum(analysis.Terms(query), statistics)
	for i := range all {
		all[i].Lexical = scores[i] * whole
	}
	return all
}

// What took another's place hands it on to what comes after it.
func TestALiftIsHandedOn(t *testing.T) {
	query := "What does Nora like?"
	all := scored(query, []string{"Nora likes tea.", "Nora now likes juice.", "Nora likes coffee.", "Nora is like Ida."}, []float64{.9, .5, .4, .6})
	o := hybrid
	o.Without = []string{NewerAbove}
	_, before := order(query, all, o)
	ids, scores := order(query, all, hybrid)
	if ids[0] != "c" || scores[0] != before[0] || slices.Index(ids, "d") < slices.Index(ids, "b") {
		t.Errorf("%q %v, before %v", ids, scores, before)
	}
}

var chained = map[string][]string{
	"What does Nora like?": {"Nora likes tea.", "Nora now likes juice.", "Nora likes coffee.", "Nora no longer likes tea.",
		"Nora no longer likes tea, only milk.", "Nora also likes milk.", "Nora's favourite is tea.", "Does Nora like tea?"},
	"What is the gate code?": {"The gate code is 1111.", "The gate code is now 2222.", "The gate code is 3333.", "The gate code changed from 1111 to 4444.",
		"The gate's code is sensible.", "The new gate code is 5555.", "The door code is now 6666.", "Remember the gate code."},
	"Who is on the team?": {"Ana is on the team.", "Bram is on the team.", "Cleo has joined the team.", "Ana left the team.",
		"The team is led by Ana.", "Bram now leads the team.", "Bram took over the team from Ana."},
}

// Whichever three statements follow each other with whatever scores, one that is lowered
// leaves no less than it had to a newer one, and to one that holds where it holds; the
// order in which they come changes nothing.
func TestOfAChainTheBestScoreIsKept(t *testing.T) {
	for query, texts := range chained {
		for at := range 8 * 8 * 8 {
			a, b, c := at/64, at/8%8, at%8
			if a == b || b == c || a == c || max(a, b, c) >= len(texts) {
				continue
			}
			for i, scores := range [][]float64{{.9, .5, .4}, {.9, .4, .5}, {.5, .9, .4}, {.4, .9, .5}, {.5, .4, .9}, {.4, .5, .9}} {
				all := scored(query, []string{texts[a], texts[b], texts[c]}, scores)
				for j := range all {
					all[j].Past = (at+i)>>j&1 != 0 && i%2 == 0
				}
				keepsTheBest(t, query, all)
			}
		}
	}
}

func keepsTheBest(t *testing.T, query string, all []Candidate) {
	t.Helper()
	o := hybrid
	o.Without = []string{NewerAbove}
	before, after := byID(query, all, o), byID(query, all, hybrid)
	for _, old := range all {
		handed := after[old.ID] >= before[old.ID]
		for _, c := range all {
			handed = handed || c.since().After(old.since()) && (old.Past || !c.Past) && after[c.ID] >= before[old.ID]
		}
		if !handed {
			t.Fatalf("%q: %v of %+v becomes %v", query, before, all, after)
		}
	}
	want, _ := order(query, all, hybrid)
	for _, turned := range turns(all) {
		if ids, _ := order(query, turned, hybrid); !slices.Equal(ids, want) || fmt.Sprint(byID(query, turned, hybrid)) != fmt.Sprint(after) {
			t.Fatalf("%q: the order of %+v changes the ranking", query, all)
		}
	}
}

// turns are two other orders of candidates.
func turns(all []Candidate) [2][]Candidate {
	back := slices.Clone(all)
	slices.Reverse(back)
	return [2][]Candidate{append(slices.Clone(all[1:]), all[0]), back}
}

func byID(query string, all []Candidate, o Options) map[string]float64 {
	out := map[string]float64{}
	ids, scores := order(query, all, o)
	for i, id := range ids {
		out[id] = scores[i]
	}
	return out
}

// Chains of many, all of which may stand beside each other or not, hold it as well.
func TestOfALongChainTheBestScoreIsKept(t *testing.T) {
	for query, texts := range chained {
		for turn := range texts {
			turned := append(slices.Clone(texts[turn:]), texts[:turn]...)
			scores := make([]float64, len(turned))
			for i := range scores {
				scores[i] = .9 - .1*float64((3*i+turn)%len(turned))
			}
			all := scored(query, turned, scores)
			for i := range all {
				all[i].RecordedAt = noon.Add(-time.Duration(len(all)-i) * time.Hour)
			}
			keepsTheBest(t, query, all)
		}
	}
}
