package search

import (
	"cmp"
	"slices"
)

// MaxTerms is how many terms of a query weigh. Questions have few: at most 10 of 497 to
// conversations, and no turn of these, taken as a query as it is, more than 43. Measured
// with the engine in memory on 100,000 documents: a query of 2,000 characters took 8 to
// 13 times as long as one of six words with all its terms, and takes .1 to 2.6 times as
// long with 64. The 64 most frequent words of a corpus take 7 times as long. Thirty
// questions in one query find as much of what answers them with 64 as with all 72.
const MaxTerms = 64

// Weighing answers the terms of a query that weigh, in their order: of those that some
// document holds the MaxTerms that fewest hold, of equals the first; and as many of those
// that none holds. The terms are distinct.
func Weighing(terms []string, stats Stats) []string {
	if len(terms) <= MaxTerms {
		return terms
	}
	var held, strange []string
	for _, term := range terms {
		if stats.DF[term] > 0 {
			held = append(held, term)
		} else {
			strange = append(strange, term)
		}
	}
	slices.SortStableFunc(held, func(a, b string) int { return cmp.Compare(stats.DF[a], stats.DF[b]) })
	kept := numbered(append(held[:min(len(held), MaxTerms)], strange[:min(len(strange), MaxTerms)]...))
	return slices.DeleteFunc(slices.Clone(terms), func(term string) bool { _, keep := kept[term]; return !keep })
}
