package rerank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// hit is a term of the question at its place among the content tokens of a text.
type hit struct {
	term, at int
	first    bool // of this term
}

// reading is a text as the features see it.
type reading struct {
	text    string
	length  int      // content tokens
	hits    []hit    // in the order of the text
	covered int      // distinct terms among them
	number  bool     // a number stands in the text, in digits or as a word
	words   []string // where a feature needs them
}

// readAll reads the texts.
func (a *asked) readAll(texts []Text) []reading {
	out := make([]reading, len(texts))
	var hits []hit
	for i := range texts {
		r := &out[i]
		r.text = texts[i].Text
		from := len(hits)
		a.seen.start()
		tokens := analysis.Tokens(r.text)
		for at, token := range tokens {
			r.number = r.number || isNumber(token)
			if term, ok := a.index[token]; ok {
				first := a.seen.first(term)
				hits = append(hits, hit{term, at, first})
				r.covered += int(one(first))
			}
		}
		r.length, r.hits = len(tokens), hits[from:len(hits):len(hits)]
		if a.words {
			r.words = analysis.Words(r.text)
		}
	}
	return out
}

// window is the smallest part of the hits that holds every covered term; the first
// of several.
func (a *asked) window(r *reading) []hit {
	clear(a.within)
	best, from, held := r.hits, 0, 0
	for to, h := range r.hits {
		if a.within[h.term]++; a.within[h.term] == 1 {
			held++
		}
		for a.within[r.hits[from].term] > 1 {
			a.within[r.hits[from].term]--
			from++
		}
		if part := r.hits[from : to+1]; held == r.covered && span(part) < span(best) {
			best = part
		}
	}
	return best
}

// span is the number of content tokens from the first hit to the last.
func span(window []hit) int {
	if len(window) == 0 {
		return 0
	}
	return window[len(window)-1].at - window[0].at + 1
}

// holds tells whether part stands in words in one piece.
func holds(words, part []string) bool {
	for i := 0; i+len(part) <= len(words); i++ {
		if slices.Equal(words[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isNumber tells tokens that count something: digits, and stems of number words.
// "One" is a pronoun too often.
func isNumber(token string) bool { return isDigit(token[0]) || numberWords[token] }

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
