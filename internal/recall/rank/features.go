package rank

import (
	"math"
	"slices"
	"strings"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// feature answers the factor of a candidate: 1 where it does not apply.
type feature func(*Candidate) float64

// Factors of the features (design: recipe R, steps 4 to 7). The losses are those
// of leaving one out, in recall and NDCG at 10 on 495 questions to three
// conversations of two people, hybrid mode.
const (
	factorSpeaker     = 1.4 // the one speaker whom the query names: .009, .007
	factorFirstPerson = 2.0 // the user's own words where the query says I: .14 recall on chats with an assistant
	factorTime        = 1.3 // an expression of time where the query asks when: .002, .008
	factorDated       = 2.0 // of a month or stretch of time that the query names: .006, .014
)

// features answers those features that the query calls for.
func (r *ranking) features() []feature {
	q := r.question
	var out []feature
	if name := r.namedSpeaker(); name != "" {
		out = append(out, func(c *Candidate) float64 { return when(c.Speaker == name, factorSpeaker) })
	}
	if q.FirstPerson && !q.Summary {
		out = append(out, func(c *Candidate) float64 { return when(isUser(c.Speaker), factorFirstPerson) })
	}
	if q.AsksTime {
		out = append(out, func(c *Candidate) float64 { return when(analysis.HasTime(c.Text), factorTime) })
	}
	if spans := r.spans(); len(spans) > 0 {
		out = append(out, func(c *Candidate) float64 {
			return when(slices.ContainsFunc(spans, func(s analysis.Span) bool { return s.Holds(c.EventAt) }), factorDated)
		})
	}
	return out
}

func when(applies bool, factor float64) float64 {
	if applies {
		return factor
	}
	return 1
}

func isUser(speaker string) bool {
	return strings.EqualFold(strings.TrimSpace(speaker), "user")
}

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

// importance is the bias of a candidate's importance.
func (r *ranking) importance(c *Candidate) float64 {
	if c.Importance == nil {
		return 1
	}
	return bias(r.options.ImportanceWeight, *c.Importance)
}

// recency is the bias of a candidate's age: half of it is lost every half-life.
func (r *ranking) recency(c *Candidate) float64 {
	if r.options.RecencyWeight <= 0 || r.options.Anchor.IsZero() {
		return 1
	}
	halfLife := r.options.HalfLife
	if halfLife <= 0 {
		halfLife = DefaultHalfLife
	}
	age := max(0, r.options.Anchor.Sub(c.RecordedAt))
	return bias(r.options.RecencyWeight, math.Exp2(-age.Hours()/halfLife.Hours()))
}

// bias turns a value from 0 to 1 into a factor: with weight 1 from one half to
// two, with weight 0 always 1 (R0.81).
func bias(weight, value float64) float64 {
	weight, value = min(1, max(0, weight)), min(1, max(0, value))
	return math.Exp2(weight * (2*value - 1))
}
