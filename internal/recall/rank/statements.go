package rank

import (
	"slices"
	"time"

	"holdfast/internal/search/analysis"
)

// statement is a candidate that another may replace.
type statement struct {
	place   int // in the ranking
	of      *Candidate
	words   []string
	said    []string // words that do not tell of a change, or since when
	tokens  []string // content tokens of them, in order
	asked   []string // distinct ones of them that are terms of the query, in its order
	joints  []joint
	leaves  []string // tokens that it says to be over
	changed bool     // it says that something changed
	defined analysis.Definition
	several bool // others say the same with other values
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
		text := analysis.WithoutSince(whole)
		tokens := analysis.Tokens(text)
		if len(tokens) > longestStatement {
			continue
		}
		words := analysis.Words(whole)
		change := analysis.ReadChange(whole, words)
		s := statement{place: place, of: c, words: words, joints: r.joints(words), changed: change.Said || corrects, leaves: change.Leaves,
			defined: analysis.Defined(whole)}
		s.tokens = slices.DeleteFunc(tokens, analysis.IsChangeTerm)
		s.said = slices.Clone(words)
		if text != whole {
			s.said = analysis.Words(text)
		}
		s.said = slices.DeleteFunc(s.said, analysis.IsChangeWord)
		for _, term := range r.question.Terms {
			if slices.Contains(s.tokens, term) {
				s.asked = append(s.asked, term)
			}
		}
		all = append(all, s)
	}
	return all
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
