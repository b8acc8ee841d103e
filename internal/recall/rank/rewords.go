package rank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// mostMore is how many words a statement may have beside those of an older one and its other
// value, where it does not say that something changed.
const mostMore = 2

// rewords is the relation of a statement to an older one that it does not repeat, but that
// says as much of what the query asks for, with another value of one kind: another number,
// day or name.
func (r *ranking) rewords(n, s *statement) relation {
	lost := without(s.tokens, n.tokens)
	shared := len(s.tokens) - len(lost)
	if shared == 0 || common(s.asked, n.asked) < len(s.asked) || !n.changed && (s.changed || n.ofAsker() != s.ofAsker() && !n.ofAsker()) {
		return apart
	}
	value, by := r.value(n, s)
	if len(value) == 0 {
		return apart
	}
	whole := len(without(lost, value)) == 0 && (shared > 1 || n.of.Speaker != "" || n.ofAsker() && s.ofAsker())
	more := len(without(without(n.tokens, s.tokens), by))
	switch {
	case !n.changed && (!whole || more > mostMore):
		return apart
	case r.question.Several || slices.ContainsFunc(s.tokens, analysis.Gathers) && !n.changed || analysis.Happened(s.said):
		return beside
	case whole && n.changed:
		return instead
	}
	return likely
}

// ofAsker tells a statement in the first person.
func (s *statement) ofAsker() bool {
	return slices.ContainsFunc(s.words, func(word string) bool { return word == "i" || word == "my" || word == "we" || word == "our" })
}

// value answers the tokens of an older statement for which those of a newer one of the same
// kind may stand. Who is a name, and when is a time or a number.
func (r *ranking) value(n, s *statement) (lost, by []string) {
	newer, older := n.read(), s.read()
	lost, by = r.others(n, s, newer.Names, older.Names)
	if r.asksWho() {
		return lost, by
	}
	if r.question.AsksTime {
		lost, by = nil, nil
	}
	times, others := r.others(n, s, newer.Times, older.Times)
	lost, by = append(lost, times...), append(by, others...)
	for _, is := range newer.Numbers {
		for _, was := range older.Numbers {
			if is.Of == was.Of || n.changed && (is.Of == "" || was.Of == "") {
				numbers, others := r.others(n, s, []string{is.Number}, []string{was.Number})
				lost, by = append(lost, numbers...), append(by, others...)
			}
		}
	}
	return lost, by
}

// others are the values of two statements that the other one lacks and the query does not
// name; none where only one has such.
func (r *ranking) others(n, s *statement, newer, older []string) (lost, by []string) {
	lost = without(without(older, n.tokens), r.question.Terms)
	by = without(without(newer, s.tokens), r.question.Terms)
	if len(lost) == 0 || len(by) == 0 {
		return nil, nil
	}
	return lost, by
}

func (r *ranking) asksWho() bool {
	return slices.Contains(r.question.Words, "who") || slices.Contains(r.question.Words, "whose")
}

// without are those of a list that another lacks.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(one string) bool { return slices.Contains(other, one) })
}
