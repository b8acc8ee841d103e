package rank

import (
	"slices"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// namedSpeaker answers the one speaker of candidates whom the query names; empty
// when it names none, or two alike. Who shares more words with the query is named
// more: Ana Lima before Ana Reis.
func (r *ranking) namedSpeaker() string {
	counted := map[string]int{}
	best, tied := "", false
	for i := range r.candidates {
		speaker := r.candidates[i].Speaker
		if _, done := counted[speaker]; done {
			continue
		}
		counted[speaker] = r.named(speaker)
		switch n := counted[speaker]; {
		case n > counted[best]:
			best, tied = speaker, false
		case n > 0 && n == counted[best]:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// named counts the words of a speaker's name in the query. A name that is also a
// common word (Will, May) counts only where the query writes it as a name.
func (r *ranking) named(speaker string) int {
	if speaker == "" || search.IsRole(speaker) {
		return 0
	}
	n := 0
	for _, word := range analysis.Words(speaker) {
		if slices.Contains(r.question.Names, word) ||
			!analysis.IsCommon(word) && slices.Contains(r.question.Words, word) {
			n++
		}
	}
	return n
}

// spans are the stretches of time that the query names.
func (r *ranking) spans() []analysis.Span { return Spans(*r.question, r.options) }

// Spans answers the stretches of time that a query names, as the ranking weighs them.
func Spans(q analysis.Question, o Options) []analysis.Span {
	spans := q.Spans(o.Anchor)
	if !o.Framed {
		return spans
	}
	for i, s := range spans {
		if s.AnyYearOf != 0 {
			spans[i] = latest(s.AnyYearOf, o.Anchor)
		}
	}
	return spans
}

// latest is the last month of this name that had begun by an instant.
func latest(month time.Month, by time.Time) analysis.Span {
	from := time.Date(by.UTC().Year(), month, 1, 0, 0, 0, 0, time.UTC)
	if from.After(by) {
		from = from.AddDate(-1, 0, 0)
	}
	return analysis.Span{From: from, To: from.AddDate(0, 1, 0)}
}
