package rank

import (
	"slices"
	"time"

	"holdfast/internal/search/analysis"
)

// statement is a candidate that another may replace.
type statement struct {
	place    int // in the ranking
	of       *Candidate
	text     string
	words    []string
	said     []string // words that do not tell of a change, or since when
	tokens   []string // content tokens of them, in order
	whole    []string // the same, of the text that it is a part of
	asked    []string // distinct ones of them that are terms of the query, in its order
	joints   []joint
	leaves   []string // tokens that it says to be over
	over     []string // the same, by a verb
	changed  bool     // it says that something changed
	turns    bool     // it tells of an event that did so, or since when something is so
	happened bool     // it tells of what happened
	defined  analysis.Definition
	values   *analysis.Values // nil: not read yet
	several  bool             // others say the same with other values
	clauses  []statement      // its parts that say something each
}

// statements are those among the first entries.
func (r *ranking) statements(out []Ranked) []statement {
	var all []statement
	for place := range out[:min(len(out), contenders)] {
		c := &r.candidates[out[place].Index]
		if c.Session != "" {
			continue
		}
		whole, corrects := analysis.WithoutOpening(c.Text)
		if s, ok := r.statement(whole, c); ok {
			s.place, s.changed = place, s.changed || corrects
			for _, part := range analysis.Clauses(whole) {
				if p, ok := r.statement(part, c); ok {
					p.place, p.changed, p.turns, p.happened, p.whole = place, s.changed, s.turns, s.happened, s.tokens
					s.clauses = append(s.clauses, p)
				}
			}
			all = append(all, s)
		}
	}
	return all
}

// statement reads what a candidate or a part of it says; false where that is too much.
func (r *ranking) statement(whole string, c *Candidate) (s statement, ok bool) {
	text := analysis.WithoutSince(whole)
	tokens := analysis.Tokens(text)
	if len(tokens) > longestStatement {
		return s, false
	}
	words := analysis.Words(whole)
	if len(words) > mostWords*longestStatement {
		return s, false
	}
	change := analysis.ReadChange(whole, words)
	s = statement{of: c, text: whole, words: words, joints: r.joints(words), changed: change.Said, leaves: change.Leaves,
		over: analysis.Ends(words), turns: analysis.Turns(words), happened: analysis.Happened(words), defined: analysis.Defined(whole)}
	s.tokens = slices.DeleteFunc(tokens, analysis.IsChangeTerm)
	s.whole, s.said = s.tokens, slices.Clone(words)
	if text != whole {
		s.said = analysis.Words(text)
	}
	s.said = slices.DeleteFunc(s.said, analysis.IsChangeWord)
	for _, term := range r.question.Terms {
		if slices.Contains(s.tokens, term) {
			s.asked = append(s.asked, term)
		}
	}
	return s, true
}

// read answers the statement's values, which few relations need.
func (s *statement) read() *analysis.Values {
	if s.values == nil {
		values := analysis.ValuesOf(s.text)
		s.values = &values
	}
	return s.values
}

// since is when a statement began to hold, as far as it is known.
func (c *Candidate) since() time.Time {
	switch {
	case c.dated():
		return c.EventAt
	case c.EditedAt.After(c.RecordedAt):
		return c.EditedAt
	}
	return c.RecordedAt
}

// dated tells that somebody said when a statement began to hold.
func (c *Candidate) dated() bool { return !c.EventAt.IsZero() && !c.EventAt.Equal(c.RecordedAt) }

// joint is a word of the query that stands right behind another one, a term.
type joint struct{ before, word string }

func (r *ranking) joints(words []string) []joint {
	var out []joint
	before := ""
	for _, word := range words {
		term := r.term(word)
		if term != "" && before != "" {
			out = append(out, joint{before, word})
		}
		before = term
	}
	return out
}

// term is the query's term that a word is; empty where it is none. Most words are told
// by their beginnings.
func (r *ranking) term(word string) string {
	for _, term := range r.question.Terms {
		if n := min(3, len(term), len(word)); word[:n] == term[:n] && analysis.Stem(word) == term {
			return term
		}
	}
	return ""
}
