package extract

import (
	"slices"
	"strings"
	"unicode"

	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// Least shares of a text's content words that occur in what it cites: of the whole
// text in all of it, and of each sentence in one entry.
const (
	minCovered = 0.8
	minInOne   = 0.5
)

// frame is how a report speaks of what was said. These words need not occur.
var frame = func() map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(frameWords) {
		out[word], out[analysis.Stem(word)] = true, true
	}
	return out
}()

const frameWords = "user assistant team group decision decided agreed plan plans planned procedure step said says told mentioned"

// grounded tells whether the cited entries say what the text says, as far as words
// can show.
func grounded(text string, cited []*source) bool {
	if isWhole(text, cited) {
		return true
	}
	rest, ok := withoutDates(text, cited)
	return ok && numbersOccur(rest, cited) && wordsOccur(rest, cited) && covered(rest, cited) && stancesHold(rest, cited)
}

// isWhole tells whether the text is one or more whole sentences of an entry.
func isWhole(text string, cited []*source) bool {
	return slices.ContainsFunc(cited, func(c *source) bool {
		start, end, ok := c.find(text)
		return ok && c.starts[start] && c.ends[end]
	})
}

func numbersOccur(text string, cited []*source) bool {
	for _, number := range prose.Numbers(text) {
		if !slices.ContainsFunc(cited, func(c *source) bool { return c.numbers[number] }) {
			return false
		}
	}
	return true
}

// wordsOccur holds names and the words that turn a meaning against the entries.
func wordsOccur(text string, cited []*source) bool {
	for _, sentence := range prose.Sentences(text) {
		whole := sentence.Of(text)
		for i, w := range prose.Words(whole) {
			if !wordOccurs(w.Of(whole), i == 0, cited) {
				return false
			}
		}
	}
	return true
}

func wordOccurs(word string, first bool, cited []*source) bool {
	low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(word), "’", "'"), "'s")
	name := prose.FirstIsUpper(word) && !analysis.IsCommon(low) || strings.ContainsFunc(word, unicode.IsDigit)
	if frame[low] && first || !name && !prose.Turns(low) {
		return true
	}
	if prose.IsNumber(low) {
		return true
	}
	tokens := analysis.Tokens(low)
	return slices.ContainsFunc(cited, func(c *source) bool { return c.words[low] || len(tokens) > 0 && c.holdsAll(tokens) })
}

func (s *source) holdsAll(tokens []string) bool {
	return !slices.ContainsFunc(tokens, func(token string) bool { return !s.tokens[token] })
}

// covered tells whether enough of the content words occur.
func covered(text string, cited []*source) bool {
	known, all := count(text, func(token string) bool {
		return slices.ContainsFunc(cited, func(c *source) bool { return c.tokens[token] })
	})
	if float64(known) < minCovered*float64(all) {
		return false
	}
	for _, sentence := range prose.Sentences(text) {
		if !coveredByOne(sentence.Of(text), cited) {
			return false
		}
	}
	return true
}

func coveredByOne(sentence string, cited []*source) bool {
	return slices.ContainsFunc(cited, func(c *source) bool {
		known, all := count(sentence, func(token string) bool { return c.tokens[token] })
		return float64(known) >= minInOne*float64(all)
	})
}

// count answers how many content words satisfy known, of how many.
func count(text string, known func(token string) bool) (n, all int) {
	for _, token := range analysis.Tokens(text) {
		if frame[token] || prose.IsNumber(token) {
			continue
		}
		all++
		if known(token) {
			n++
		}
	}
	return n, all
}

// stancesHold holds each clause against the nearest ones of the entries.
func stancesHold(text string, cited []*source) bool {
	for _, c := range clausesOf(text) {
		if !stanceHolds(c, cited) {
			return false
		}
	}
	return true
}

func stanceHolds(c clause, cited []*source) bool {
	most, holds := 0, true
	for _, s := range cited {
		for _, near := range s.allClauses() {
			shared := shares(c.tokens, near.tokens)
			if shared > most {
				most, holds = shared, false
			}
			if shared == most && shared > 0 {
				holds = holds || c.agrees(near)
			}
		}
	}
	return holds
}

func shares(a, b map[string]bool) int {
	n := 0
	for token := range a {
		if b[token] {
			n++
		}
	}
	return n
}

// agrees tells whether a clause keeps how the other stands to what it says.
func (c clause) agrees(other clause) bool {
	return c.stance.Denied == other.stance.Denied &&
		(c.stance.Doubted || !other.stance.Doubted) &&
		(c.stance.Undone || !other.stance.Undone) &&
		(c.question || !other.question) &&
		(c.conditional || !other.conditional)
}
