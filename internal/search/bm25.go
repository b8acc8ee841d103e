package search

import (
	"math"
	"slices"
	"strings"

	"holdfast/internal/search/analysis"
)

// Constants of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009), measured for conversations (design: recipe
// R, step 3). Results are flat around them: any within 20 % does.
const (
	K1 = 1.2 // how soon repeating a term stops to count
	B  = 0.4 // how much long documents are held back
)

// Weights of a term's occurrences, in tenths, so that sums are exact in any order
// (design: recipe R, step 2).
const (
	WeightOwn      = 10 // in the document
	WeightSpeaker  = 10 // in its speaker's name
	WeightPrevious = 3  // in the document before it in the session
	WeightAsked    = 5  // the same, where that document asks (Previous)
	WeightSecond   = 2  // two before
	WeightNext     = 1  // in the one after
	WeightUnit     = 10 // tenths in a whole
)

// Previous is the weight of a term's occurrences in the document before one in the
// session: what follows a question answers it, most often without its words (measured
// on 494 questions to conversations, recall and NDCG at 10: .829/.673; with
// WeightPrevious throughout .822/.664).
func Previous(asks bool) int {
	if asks {
		return WeightAsked
	}
	return WeightPrevious
}

// IDF is the weight of a term that df of n documents hold: ln(1 + (n - df + .5) /
// (df + .5)), which is never negative.
func IDF(n, df int) float64 {
	if df > n {
		n = df
	}
	return math.Log1p((float64(n-df) + .5) / (float64(df) + .5))
}

// Saturation is BM25's curve over term weights for one average length.
type Saturation struct {
	base, slope float64
}

// NewSaturation prepares the curve for an average length in content tokens
// (Stats.AvgLength).
func NewSaturation(average float64) Saturation {
	if average <= 0 {
		return Saturation{base: K1}
	}
	return Saturation{base: K1 * (1 - B), slope: K1 * B / average}
}

// Of answers what a term's weight counts in a document of a length, both in
// tenths: from 0 up to K1 + 1. Products are rounded before they are added, here
// and wherever scores are summed, so that no processor fuses the two and scores
// are the same on every machine.
func (s Saturation) Of(weight, length int) float64 {
	f := float64(weight) / WeightUnit
	norm := s.base + float64(s.slope*(float64(length)/WeightUnit))
	return f * (K1 + 1) / (f + norm)
}

// IsRole tells speakers that are no names but roles. What they say has no window
// and is in none, since long answers would drown the turns beside them (design:
// recipe R, step 2), and their role is no token.
func IsRole(speaker string) bool {
	switch strings.ToLower(strings.TrimSpace(speaker)) {
	case "user", "assistant", "tool":
		return true
	}
	return false
}

// SpeakerTokens answers the distinct tokens of a speaker's name; none for a role.
func SpeakerTokens(speaker string) []string {
	if speaker == "" || IsRole(speaker) {
		return nil
	}
	tokens := analysis.Tokens(speaker)
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// Passage is text that is scored outside of an index, with the texts around it.
type Passage struct {
	Text, Speaker          string
	Previous, Second, Next string // of the same session; empty where there is none or either has a role
}

// Score answers the lexical score of a passage as an index with these statistics
// would: its best chunk's sum over the terms that weigh.
func (p Passage) Score(terms []string, stats Stats) float64 {
	terms = Weighing(terms, stats)
	places := numbered(terms)
	curve := NewSaturation(stats.AvgLength)
	around, length := p.around(places)
	best := 0.0
	for _, chunk := range analysis.Chunks(p.Text) {
		own := places.counts(chunk)
		score := 0.0
		for i, term := range terms {
			if f := WeightOwn*own[i] + around[i]; f > 0 {
				idf := IDF(stats.Documents, stats.DF[term])
				score += float64(idf * curve.Of(f, WeightOwn*len(chunk)+length))
			}
		}
		best = max(best, score)
	}
	return best
}

// around answers, for each term, its weight beside the passage's own text, and
// the length that the texts around add; both in tenths.
func (p Passage) around(places placed) (weights []int, length int) {
	weights = places.counts(SpeakerTokens(p.Speaker))
	for i := range weights {
		weights[i] *= WeightSpeaker
	}
	for _, part := range []struct {
		text   string
		weight int
	}{{p.Previous, Previous(analysis.Asks(p.Previous))}, {p.Second, WeightSecond}, {p.Next, WeightNext}} {
		tokens := analysis.Tokens(part.text)
		length += len(tokens) * part.weight
		for i, n := range places.counts(tokens) {
			weights[i] += n * part.weight
		}
	}
	return weights, length
}

// placed are terms by their place in a query.
type placed map[string]int

func numbered(terms []string) placed {
	out := make(placed, len(terms))
	for i, term := range terms {
		out[term] = i
	}
	return out
}

// counts answers how often each term occurs among tokens.
func (p placed) counts(tokens []string) []int {
	out := make([]int, len(p))
	for _, token := range tokens {
		if i, ok := p[token]; ok {
			out[i]++
		}
	}
	return out
}
