package search

import (
	"cmp"
	"slices"
)

// MaxTerms is how many terms of a query weigh. Questions have few: at most 10 of 497 to
// conversations, and no turn of these, taken as a query as it is, more than 43. Measured
// on 100,000 documents with a lexical arm in memory: a query of 2,000 characters takes
// nine times as long as one of six words with all its terms, up to 2.8 times with 64,
// and 1.7 times with 32.
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
