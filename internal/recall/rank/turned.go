package rank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// nearby is how many places behind an older statement one may stand that tells of an event:
// it stands right before the older one then. Anything that happened to somebody would
// otherwise stand before what the query asks of him.
const nearby = 2

// ends tells that a statement says by a verb that what an older one says is over, and not of
// somebody else: sold the Golf, where that one drives a Golf, and does not play golf.
func (r *ranking) ends(n, s *statement) bool {
	return slices.ContainsFunc(n.over, func(token string) bool {
		return !slices.Contains(s.asked, token) && !slices.Contains(s.over, token) && n.shares(s, token)
	}) && !n.begins(s)
}

// shares tells that both statements have a token, as a name or as none.
func (s *statement) shares(o *statement, token string) bool {
	return slices.Contains(s.tokens, token) && slices.Contains(o.tokens, token) &&
		slices.Contains(s.read().Names, token) == slices.Contains(o.read().Names, token)
}

// begins tells a statement whose first word names somebody whom an older one does not.
func (s *statement) begins(older *statement) bool {
	if len(s.tokens) == 0 || len(s.words) == 0 || analysis.IsCommon(s.words[0]) {
		return false
	}
	first := s.tokens[0]
	return slices.Contains(s.read().Names, first) && !slices.Contains(older.tokens, first) && !slices.Contains(s.over, first)
}

// turned is the relation of a statement to an older one where it tells of an event that
// changed something about the same, or since when something is so: it stands beside the
// other, as it may be about something else.
func (r *ranking) turned(n, s *statement) relation {
	if s.happened || !n.turns && !n.happened {
		return apart
	}
	named := slices.ContainsFunc(without(s.tokens, r.question.Terms), func(token string) bool { return n.shares(s, token) })
	thing := without(without(n.defined.Thing(), s.tokens), r.question.Terms)
	if len(thing) > 0 || len(without(n.tokens, s.tokens)) == 0 || !r.sameSubject(n, s, named) || n.begins(s) || !r.mayAnswer(n, s) {
		return apart
	}
	if r.question.Several || !named && slices.ContainsFunc(s.tokens, analysis.Gathers) {
		return apart
	}
	if n.place > s.place+nearby || n.place > s.place+1 && !n.turns {
		return apart
	}
	return beside
}

// sameSubject tells that both are of whom or what the query names, or else of what the older
// one begins with, or of the asker, if one names the other's value.
func (r *ranking) sameSubject(n, s *statement, named bool) bool {
	names := 0
	for _, name := range r.nameTerms {
		if slices.Contains(s.asked, name) {
			if !slices.Contains(n.whole, name) {
				return false
			}
			names++
		}
	}
	return names > 0 || slices.Contains(n.whole, s.tokens[0]) || named && n.ofAsker() && s.ofAsker()
}

// mayAnswer tells a statement that has something of the kind that the query asks for, or
// that the older one has: a name, a time, a number.
func (r *ranking) mayAnswer(n, s *statement) bool {
	newer := n.read()
	switch {
	case r.asksWho():
		return len(without(newer.Names, s.tokens)) > 0
	case len(s.read().Times) > 0:
		return len(newer.Times) > 0
	case r.question.AsksTime, len(s.read().Numbers) > 0:
		return len(newer.Times)+len(newer.Numbers) > 0
	}
	return true
}
