package rerank

import (
	"strings"

	"holdfast/internal/search/analysis"
)

// feature is one way in which a text may answer a question.
type feature struct {
	name    string
	weight  float64
	applies func(*asked) bool              // false: says nothing of this question
	of      func(*asked, *reading) float64 // 0 to 1
}

// features and their weights, which add up to 1.
var features = []feature{
	{"coverage", .05, func(a *asked) bool { return a.terms > 0 }, coverage},
	{"proximity", .05, func(a *asked) bool { return a.terms > 1 }, proximity},
	{"phrase", .15, func(a *asked) bool { return a.terms > 1 }, phrase},
	{"quoted", .05, func(a *asked) bool { return len(a.quoted) > 0 }, quoted},
	{"names", .10, func(a *asked) bool { return len(a.names) > 0 }, names},
	{"figures", .10, func(a *asked) bool { return a.figured > 0 }, figures},
	{"form", .15, func(a *asked) bool { return a.AsksTime || a.howMany || a.who }, form},
	{"self", .25, func(a *asked) bool { return a.self }, self},
	{"length", .10, func(*asked) bool { return true }, length},
}

// coverage is the share of the question's terms that the text holds, by their rarity
// among the texts. Names of speakers do not count: who speaks is known without them,
// and who is spoken to is no answer.
func coverage(a *asked, r *reading) float64 {
	sum := 0.0
	for _, h := range r.hits {
		if h.first {
			sum += a.rarity[h.term]
		}
	}
	return min(1, sum/a.whole)
}

// proximity is how tightly the smallest window that holds all covered terms holds
// them, times the share of the terms, times one half where none of them stand in the
// order of the question.
func proximity(a *asked, r *reading) float64 {
	if r.covered < 2 {
		return 0
	}
	window := a.window(r)
	ordered := 0
	for i := 1; i < len(window); i++ {
		if window[i].term > window[i-1].term {
			ordered++
		}
	}
	tight := float64(r.covered) / float64(span(window))
	share := float64(r.covered-1) / float64(a.terms-1)
	order := float64(ordered) / float64(len(window)-1)
	return min(1, tight) * share * (1 + order) / 2
}

// phrase is the share of neighbours in the question that are neighbours in the text,
// in the same order and with no other content between.
func phrase(a *asked, r *reading) float64 {
	a.seen.start()
	n := 0
	for i := 1; i < len(r.hits); i++ {
		x, y := r.hits[i-1], r.hits[i]
		if y.term == x.term+1 && y.at == x.at+1 && a.seen.first(x.term) {
			n++
		}
	}
	return float64(n) / float64(a.terms-1)
}

// quoted is the share of the question's quotations that the text holds word by word.
func quoted(a *asked, r *reading) float64 {
	n := 0
	for _, part := range a.quoted {
		if holds(r.words, part) {
			n++
		}
	}
	return float64(n) / float64(len(a.quoted))
}

// names is the share of the names in the question that the text holds, but for those
// of speakers.
func names(a *asked, r *reading) float64 {
	a.named.start()
	n := 0
	for _, word := range r.words {
		if i, ok := a.names[word]; ok && a.named.first(i) {
			n++
		}
	}
	return float64(n) / float64(len(a.names))
}

// figures is the share of the numbers, years and months in the question that the
// text holds.
func figures(a *asked, r *reading) float64 {
	n := 0
	for _, h := range r.hits {
		if h.first && a.figures[h.term] {
			n++
		}
	}
	return float64(n) / float64(a.figured)
}

// form is 1 where the text holds the kind of thing that is asked for: an expression
// of time, a number, a name.
func form(a *asked, r *reading) float64 {
	switch {
	case a.AsksTime:
		return one(analysis.HasTime(r.text))
	case a.howMany:
		return one(r.number)
	}
	return one(analysis.HasName(r.text))
}

// self is 1 where the text tells of whoever says it, 0 where it tells of whoever
// hears it, one half where of neither or both (analysis.Self): for questions about a
// speaker, or about the asker. It counts in the first score of a speaker who is named
// as well, but less.
func self(_ *asked, r *reading) float64 { return (1 + analysis.Self(r.words)) / 2 }

// Texts of fewer content tokens hold no answer, those of more hold a term by chance.
const shortest, longest = 6, 24

// length falls off on both sides of the usual length.
func length(_ *asked, r *reading) float64 {
	return min(1, float64(r.length)/shortest, longest/float64(max(1, r.length)))
}

var numberWords = set("two three four five six seven eight nine ten eleven twelv twenti dozen hundr thousand twice")

func set(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[word] = true
	}
	return out
}
