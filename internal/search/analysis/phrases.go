package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Phrases is how many neighbours among the terms of a query are neighbours in a text,
// in the same order and with no other content between, at most so many.
func Phrases(terms []string, text string, most int) int {
	if !pairIn(terms, text) {
		return 0
	}
	return min(phrases(terms, text), most)
}

func phrases(terms []string, text string) int {
	n, last := 0, -1
	for _, token := range Tokens(text) {
		at := slices.Index(terms, token)
		if last >= 0 && at == last+1 {
			n++
		}
		last = at
	}
	return n
}

// pairIn tells texts that may hold two neighbours among terms, without reading their
// words: most hold none, and reading takes ten times as long.
func pairIn(terms []string, text string) bool {
	holds := mayHold
	if !isASCII(text) {
		var ok bool
		if text, ok = baredQuickly(foldRunes(text)); !ok {
			return true
		}
		holds = strings.Contains
	}
	before := false
	for _, term := range terms {
		here := holds(text, beginning(term))
		if here && before {
			return true
		}
		before = here
	}
	return false
}

// beginning is what a word has of its stem: happi is of happy, die of dying, and 1000 may
// be of 1,000.
func beginning(stem string) string {
	switch {
	case isDigit(stem[0]):
		return stem[:1]
	case len(stem) <= 2 || stem[len(stem)-1] >= utf8.RuneSelf:
		return stem
	}
	return strings.TrimSuffix(stem[:len(stem)-1], "i")
}

// mayHold tells whether a beginning stands in an ASCII text in any case.
func mayHold(text, beginning string) bool {
	lower, upper := beginning[0], beginning[0]
	if isLower(lower) {
		upper -= 'a' - 'A'
	}
	for i := 0; i+len(beginning) <= len(text); i++ {
		if c := text[i]; (c == lower || c == upper) && strings.EqualFold(text[i:i+len(beginning)], beginning) {
			return true
		}
	}
	return false
}
