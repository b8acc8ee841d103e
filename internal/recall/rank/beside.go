package rank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// beside tells that what repeats an older statement but for one value may hold as well
// as it: the question asks for several of what one has several of (what somebody likes);
// or it says of no change, and the one or the other is so, or two others repeat it (who is
// on a team), or both say what is not (what somebody does not eat), or it says it of
// another subject or in another respect, or both tell what happened.
func (r *ranking) beside(n, s *statement, at int) bool {
	gathers := s.gathers(at)
	if n.changed && s.changed && n.isOfAnotherSubject(s, at) {
		return true
	}
	return r.question.Several && gathers || !n.changed && (gathers || s.several || r.question.Several ||
		analysis.Denies(n.words) && analysis.Denies(s.words) || n.isOfAnotherSubject(s, at) || r.isInAnotherRespect(n, s, at) ||
		n.isOneOf(s, at) || n.differsTwice(s) ||
		analysis.Happened(s.said))
}

// isOfAnotherSubject tells that what repeats an older statement but for one value says the
// same of somebody or something else (who works where), or of one of several things: it is
// not what only one is.
func (s *statement) isOfAnotherSubject(older *statement, at int) bool {
	subject := at == 0 && !isNumber(older.tokens[0]) && analysis.Leads(s.words, s.tokens[0]) || 0 < at && at < len(older.defined.Thing())
	return analysis.IsOne(s.of.Text) || subject && !analysis.IsTheOnly(s.said)
}

// isInAnotherRespect tells that different prepositions stand before the values, or that only
// one is a name where the question asks who.
func (r *ranking) isInAnotherRespect(n, s *statement, at int) bool {
	return slices.Contains(r.question.Words, "who") && n.defined.Unlike(s.defined) ||
		analysis.Respect(n.words, n.tokens[at]) != analysis.Respect(s.words, s.tokens[at])
}

// gathers tells a statement that says of what somebody or something has several, up to its
// token at a place, or by its last one. An amount is one of several only right behind such a word.
func (s *statement) gathers(at int) bool {
	if analysis.Gathers(s.tokens[len(s.tokens)-1]) || at > 0 && analysis.Gathers(s.tokens[at-1]) {
		return true
	}
	return !isNumber(s.tokens[at]) && slices.ContainsFunc(s.tokens[:at], func(token string) bool { return token == "than" || analysis.Gathers(token) })
}

// isOneOf tells that a value of a statement and that of an older one, no amounts, are each one of
// several: what the value is of is told by "a" (has an office in Bonn), it stands behind "with",
// it is a quality of somebody or something (is tall), or it is to be done.
func (s *statement) isOneOf(older *statement, at int) bool {
	if isNumber(s.tokens[at]) {
		return false
	}
	from, _, _ := differ(s.said, older.said)
	return analysis.IsToDo(s.of.Text) || slices.ContainsFunc(s.said[:from], analysis.IsOne) || analysis.Respect(s.words, s.tokens[at]) == "with" ||
		s.defined.IsQuality() && older.defined.IsQuality()
}

// differsTwice tells that a statement differs from an older one in two places, by more than times
// and numbers: what it says is of something else.
func (s *statement) differsTwice(older *statement) bool {
	_, a, b := differ(s.said, older.said)
	if common(a, b) == 0 {
		return false
	}
	return slices.ContainsFunc(a, func(word string) bool { return !slices.Contains(b, word) && !isNumber(word) && !analysis.HasTime(word) })
}
