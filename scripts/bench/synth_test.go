package main

import (
	"strings"
	"testing"
)

func TestSentencesAreTheSameForASeed(t *testing.T) {
	a, b, other := newSentences(7), newSentences(7), newSentences(8)
	same, different := true, false
	for range 50 {
		text := a.next()
		same = same && text == b.next()
		different = different || text != other.next()
	}
	if !same || !different {
		t.Errorf("same seed alike: %v, other seed different: %v", same, different)
	}
}

func TestSentencesAreAsLongAsTurnsOfTalk(t *testing.T) {
	s := newSentences(1)
	seen, words := make(map[string]bool), 0
	const n = 5000
	for range n {
		text := s.next()
		seen[text] = true
		words += len(strings.Fields(text))
	}
	if mean := float64(words) / n; mean < 20 || mean > 28 {
		t.Errorf("%.1f words on average", mean)
	}
	if len(seen) != n {
		t.Errorf("%d of %d texts are distinct", len(seen), n)
	}
}
