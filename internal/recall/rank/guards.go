package rank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// ofOthers tells that a newer statement is about somebody or something that belongs to or
// surrounds what an older one is about: my sister, Maria's husband, the API cache, the first
// phase of the project; or what somebody says of another. Before or between what both say it
// has a word where the older one has none, and which the query has not. Who did what changed
// something may be new (the doctor lowered the dose), and so may the name that is asked for.
func (r *ranking) ofOthers(n, s *statement) bool {
	from := 0 // in the older one, behind what both say
	inserted := false
	for _, token := range n.tokens {
		at := slices.Index(s.tokens, token)
		switch {
		case at >= 0:
			if inserted && at >= from && len(without(s.tokens[from:at], n.tokens)) == 0 {
				return !n.turnsBefore(token)
			}
			from, inserted = at+1, false
		case r.foreign(n, s, token):
			inserted = true
		}
	}
	return false
}

// turnsBefore tells that a verb which tells of an event stands before the word of a token.
func (s *statement) turnsBefore(token string) bool {
	end := s.wordOf(token)
	return end >= 0 && analysis.TurnAt(s.words[:end]) >= 0
}

// wordOf is the place of a token's word; -1: it has none of its own.
func (s *statement) wordOf(token string) int {
	return slices.IndexFunc(s.words, func(word string) bool { return analysis.Stem(word) == token })
}

// ofTheirs tells that a newer statement begins with what somebody has that the older one and
// the query do not tell of: my sister, Maria's husband.
func (r *ranking) ofTheirs(n, s *statement) bool {
	return slices.ContainsFunc(analysis.Owned(n.text, true), func(token string) bool {
		at := slices.Index(n.tokens, token)
		return at >= 0 && at <= 1 && r.foreign(n, s, token) && !n.turnsBefore(token) && !n.turnsWhatIsAsked(s)
	})
}

// turnsWhatIsAsked tells that a verb which tells of an event stands before what the query
// asks of the older one: her dietitian lowered the target.
func (n *statement) turnsWhatIsAsked(s *statement) bool {
	return slices.ContainsFunc(s.asked, n.turnsBefore)
}

// foreign tells a token of a statement that tells of something else than an older one and the
// query do.
func (r *ranking) foreign(n, s *statement, token string) bool {
	if isNumber(token) || slices.Contains(s.tokens, token) || slices.Contains(r.question.Terms, token) || slices.Contains(n.over, token) {
		return false
	}
	if at := n.wordOf(token); at >= 0 && analysis.IsBeside(n.words[at]) {
		return false
	}
	values := n.read()
	return !slices.Contains(values.Times, token) && !(r.asksWho() && slices.Contains(values.Names, token))
}

// unqualified tells that an older statement has a word by which the query tells which one it
// means, and a newer one has another instead: for breakfast, and not for dinner.
func (r *ranking) unqualified(n, s *statement) bool {
	return n.misses(s, r.question.Qualifiers) && len(without(analysis.Qualified(n.words), s.tokens)) > 0
}

// lacks tells that an older statement is about what the query says that somebody has, and a
// newer one does not name it: Maria's brother.
func (r *ranking) lacks(n, s *statement) bool {
	return n.misses(s, r.question.Owned)
}

// misses tells that a statement lacks one of some tokens of the query that an older one has.
func (n *statement) misses(s *statement, tokens []string) bool {
	return slices.ContainsFunc(tokens, func(token string) bool {
		return slices.Contains(s.asked, token) && !slices.Contains(n.whole, token)
	})
}

// reversed tells that a name of the query and another, or a verb, stand in another order in
// a newer statement than in an older one: from Bergen to Oslo, Acme owns; or that the older
// one tells what else the named is the value of, and the newer what it is.
func (r *ranking) reversed(n, s *statement) bool {
	if is, was := n.defined.Thing(), s.defined.Thing(); len(is) > 0 || len(was) > 0 {
		return len(was) > 0 && len(is) == 1 && r.namesToken(is[0]) && !slices.Contains(was, is[0])
	}
	for i, first := range s.tokens {
		for j, second := range s.tokens[i+1:] {
			if slices.Index(s.tokens, second) == i+1+j && slices.Index(s.tokens, first) == i && r.ordered(n, first, second) &&
				slices.Index(n.tokens, first) > slices.Index(n.tokens, second) {
				return true
			}
		}
	}
	return false
}

// ordered tells two tokens of a statement of which the order says who does what: two names,
// or a name and a verb.
func (r *ranking) ordered(n *statement, first, second string) bool {
	if first == second || !slices.Contains(n.tokens, first) || !slices.Contains(n.tokens, second) {
		return false
	}
	names, acts := 0, 0
	for _, token := range []string{first, second} {
		if r.namesToken(token) {
			names++
		} else if at := n.wordOf(token); at >= 0 && analysis.IsAct(n.words[at]) {
			acts++
		}
	}
	return names > 0 && names+acts == 2
}

func (r *ranking) namesToken(token string) bool { return slices.Contains(r.nameTerms, token) }

// unsaid tells that a newer statement does not say that something is so now: it denies it
// without saying what else is, tells what was, or what somebody wishes.
func (n *statement) unsaid(s *statement) bool {
	return analysis.UsedTo(n.words) || analysis.Denies(n.words) && !n.changed && len(n.leaves) == 0 && !analysis.Denies(s.words) ||
		n.happened && !n.turns && !s.happened && len(n.over) == 0 && !n.changed
}
