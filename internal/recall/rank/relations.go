package rank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// ofAnother tells that a newer statement is about somebody or something else than an
// older one: it lacks one of the query's names that this one has, or both words by which
// this one and the query call a thing, and calls another by two.
func (r *ranking) ofAnother(newer, older *statement) bool {
	return slices.ContainsFunc(older.asked, func(term string) bool {
		return slices.Contains(r.nameTerms, term) && !slices.Contains(newer.whole, term)
	}) || slices.ContainsFunc(r.question.Compounds, func(c analysis.Compound) bool {
		return !slices.Contains(newer.tokens, c.First) && !slices.Contains(newer.tokens, c.Second) && c.In(older.of.Text)
	}) && analysis.HasOther(r.question.Compounds, newer.of.Text)
}

// otherwise tells that a newer statement is about something else than an older one:
// where this one says a word of the query right before another (booking service) it
// says a word that is neither's (voucher service).
func (r *ranking) otherwise(newer, older *statement) bool {
	for _, joint := range older.joints {
		if slices.Contains(newer.tokens, joint.before) {
			continue
		}
		if at := slices.Index(newer.words, joint.word); at > 0 && !analysis.IsCommon(newer.words[at-1]) &&
			!slices.Contains(r.question.Words, newer.words[at-1]) && !slices.Contains(older.words, newer.words[at-1]) {
			return true
		}
	}
	return false
}

// names tells that a statement says of what an older one says that it is over: it has
// a term of the query in common with it, and the value, which this one does not leave as well
// (the bus from Bonn), and does not say it of another thing.
func (s *statement) names(older *statement) bool {
	thing := s.defined.Thing()
	if common(s.asked, older.asked) < len(older.asked) && common(thing, older.tokens) < len(thing) {
		return false
	}
	return common(s.asked, older.asked) > 0 && slices.ContainsFunc(s.leaves, func(token string) bool {
		return slices.Contains(older.tokens, token) && !slices.Contains(older.asked, token) && !slices.Contains(older.leaves, token)
	})
}

// redefines tells that both statements say what the same thing is, and give it other
// values of one kind; unless the question asks for several and they are of one.
func (r *ranking) redefines(s, older *statement) bool {
	if !s.defined.Same(older.defined) || r.question.Several && !s.changed && s.defined.Single() {
		return false
	}
	return common(older.asked, s.asked) == len(older.asked)
}

// repeats answers at which token a statement says another thing than an older one, with
// which it agrees but for that one value: few words of one kind, none of which the query
// names. -1: it says something else, or the same.
func (s *statement) repeats(older *statement) int {
	if len(s.asked) == 0 || !slices.Equal(s.asked, older.asked) {
		return -1
	}
	at, a, b := differ(s.tokens, older.tokens)
	if len(a) == 0 || len(b) == 0 || max(len(a), len(b)) > longestValue || isNumber(a[0]) != isNumber(b[0]) {
		return -1
	}
	_, words, others := differ(s.said, older.said)
	longer := max(len(words), len(others))
	shared := len(s.said) - len(words)
	if s.of.Speaker != "" {
		shared++ // who says it is a part of it
	}
	if shared < 2 || shared <= longer {
		return -1
	}
	return at
}

// differ answers where two lists begin to differ, and in what between their like
// beginnings and ends.
func differ(a, b []string) (at int, restA, restB []string) {
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	a, b = a[at:], b[at:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return at, a, b
}

// markSeveral marks the statements that two or more others repeat at the same place, none
// of which says that something changed. What replaces another comes alone more often.
func markSeveral(all []statement) {
	for i := range all {
		s := &all[i]
		if s.changed {
			continue
		}
		others := map[int]int{}
		for j := range all {
			if i == j || all[j].changed {
				continue
			}
			if at := all[j].repeats(s); at >= 0 {
				others[at]++
				s.several = s.several || others[at] == 2
			}
		}
	}
}

func isNumber(token string) bool { return '0' <= token[0] && token[0] <= '9' }

// overtakes tells that a statement which says that something changed is about what an
// older one is: it has most of that one's terms of the query, and does not say what
// something else is; somebody is the answer where the query asks who.
func (r *ranking) overtakes(s, older *statement) bool {
	if !s.changed || older.changed || s.endsAnother(older) || 3*common(s.asked, older.asked) < 2*len(older.asked) {
		return false
	}
	thing := s.defined.Thing()
	return common(thing, older.tokens) == len(thing) || s.defined.OfName() && slices.Contains(r.question.Words, "who")
}

// endsAnother tells a statement that says no more than that something else than what an older one
// says is over: no longer likes coffee.
func (s *statement) endsAnother(older *statement) bool {
	end := slices.Index(s.words, "longer")
	if end <= 0 || s.words[end-1] != "no" || slices.Contains(s.words[end:], "but") || slices.Contains(s.words[end:], "only") {
		return false
	}
	return slices.ContainsFunc(s.leaves, func(token string) bool { return !slices.Contains(older.tokens, token) })
}

// common counts what two lists share.
func common(a, b []string) int {
	n := 0
	for _, one := range a {
		if slices.Contains(b, one) {
			n++
		}
	}
	return n
}
