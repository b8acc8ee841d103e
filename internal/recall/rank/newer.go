package rank

import (
	"slices"
	"time"

	"holdfast/internal/search/analysis"
)

// Newer above older. Of two statements about the same thing the newer one holds, so
// the older is no answer to a question about what is. Statements are texts outside of
// sessions: what is said in a conversation is told apart by its neighbours and stays
// where it is (retrieval.md, section 5: no rule helped there without harm). Where a
// text says for certain that an older one is over, that one was superseded when it was
// written (A0.2) and is no candidate; here it is only likely.
//
// Measured on generated updates (scripts/bench, part made), shares of the pairs whose
// newer statement is the first entry and whose older one is among the first three,
// without and with the rule: plainly worded .42 to .58 and .60 to .62, .94 and .02 to .05;
// reworded .22 and .6 to .7, .46 to .52 and .25 to .32. On other sets it moves nothing.
const (
	// NewerAbove is the rule's name in Options.Without.
	NewerAbove = "newer"
	// stale is the factor of a statement that another repeats with another value, and
	// likelyStale of one that another overtakes.
	stale, likelyStale = .3, .6
	// contenders is how many of the first entries are looked at.
	contenders = 30
	// longestStatement is the most content tokens of a statement; a longer text says
	// several things.
	longestStatement = 40
	// longestValue is the most content tokens in which two statements of the same thing
	// may differ on either side.
	longestValue = 5
)

// statement is a candidate that another may replace.
type statement struct {
	place   int // in the ranking
	of      *Candidate
	words   []string
	tokens  []string // content tokens that do not tell of a change, in order
	asked   []string // distinct ones of them that are terms of the query, in its order
	joints  []joint
	leaves  []string // tokens that it says to be over
	changed bool     // it says that something changed
	defined analysis.Definition
	several bool // others say the same with other values
}

// newestFirst gives newer statements the places of those that they replace.
func (r *ranking) newestFirst(out []Ranked) {
	if !r.question.Present || slices.Contains(r.options.Without, NewerAbove) {
		return
	}
	all := r.statements(out)
	if len(all) < 2 {
		return
	}
	markSeveral(all)
	slices.SortStableFunc(all, func(a, b statement) int { return a.of.since().Compare(b.of.since()) })
	scores := make([]float64, len(out))
	for i := range out {
		scores[i] = out[i].Score
	}
	for i := range all {
		if newer, how := r.replacement(&all[i], all[i+1:]); newer != nil {
			replace(&out[all[i].place], &out[newer.place], scores[all[i].place], scores[newer.place], how)
		}
	}
	for i := range out {
		if before := scores[i]; before > 0 && out[i].Score != before {
			out[i].Parts.Newer = out[i].Score / before
		}
	}
	slices.SortFunc(out, r.compare)
}

// relation is how a newer statement stands to an older one, the stronger the greater.
type relation int

const (
	apart   relation = iota
	beside           // it may be one of several: who is on a team, what somebody likes
	likely           // it overtakes it
	instead          // it gives the same another value
)

// replace gives a newer statement the older one's score where that is the greater, and
// the older one less. Of two that may stand beside each other the older one only comes
// behind.
func replace(older, newer *Ranked, was, now float64, how relation) {
	newer.Score = max(newer.Score, was)
	switch how {
	case beside:
		older.Score = min(was, now)
	case likely:
		older.Score = min(likelyStale*was, now)
	default:
		older.Score = stale * was
	}
}

// statements are those among the first entries.
func (r *ranking) statements(out []Ranked) []statement {
	var all []statement
	for place := range out[:min(len(out), contenders)] {
		c := &r.candidates[out[place].Index]
		if c.Session != "" {
			continue
		}
		tokens := analysis.Tokens(c.Text)
		if len(tokens) > longestStatement {
			continue
		}
		words := analysis.Words(c.Text)
		change := analysis.ReadChange(c.Text, words)
		s := statement{place: place, of: c, words: words, joints: r.joints(words), changed: change.Said, leaves: change.Leaves,
			defined: analysis.Defined(c.Text)}
		s.tokens = slices.DeleteFunc(tokens, analysis.IsChangeTerm)
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

// replacement is the newest of some newer statements that replaces one in the strongest
// way, and this way.
func (r *ranking) replacement(s *statement, newer []statement) (by *statement, how relation) {
	for i := range newer {
		n := &newer[i]
		if !r.mayReplace(n, s) {
			continue
		}
		if way := r.relation(n, s); way >= how && way != apart {
			by, how = n, way
		}
	}
	return by, how
}

// mayReplace tells a statement by which another can be out of date: one that began to
// hold after it and not in the future, and is about the same by all that is known beside
// the text.
func (r *ranking) mayReplace(n, s *statement) bool {
	if anchor := r.options.Anchor; n.of.dated() && !anchor.IsZero() && n.of.EventAt.After(anchor) {
		return false
	}
	return n.of.since().After(s.of.since()) && n.of.Speaker == s.of.Speaker && n.of.Trust >= s.of.Trust &&
		!n.of.About.other(s.of.About) && len(s.asked) > 0
}

func (r *ranking) relation(n, s *statement) relation {
	switch {
	case r.ofAnother(n, s), r.otherwise(n, s):
		return apart
	case n.names(s), n.redefines(s):
		return instead
	case n.repeats(s) >= 0:
		if r.beside(n, s) {
			return beside
		}
		return instead
	case n.overtakes(s):
		return likely
	}
	return apart
}

// ofAnother tells that a newer statement is about somebody else than an older one: it
// lacks one of the query's names that this one has.
func (r *ranking) ofAnother(newer, older *statement) bool {
	return slices.ContainsFunc(older.asked, func(term string) bool { return r.isName(term) && !slices.Contains(newer.tokens, term) })
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

// names tells that a statement says of what an older one says that it is over: it has
// a term of the query in common with it, and the value.
func (s *statement) names(older *statement) bool {
	return common(s.asked, older.asked) > 0 && slices.ContainsFunc(s.leaves, func(token string) bool {
		return slices.Contains(older.tokens, token) && !slices.Contains(older.asked, token)
	})
}

// redefines tells that both statements say what the same thing is, and give it other
// values of one kind.
func (s *statement) redefines(older *statement) bool {
	if !s.defined.Same(older.defined) {
		return false
	}
	return common(older.asked, s.asked) == len(older.asked)
}

// repeats answers at which token a statement says another thing than an older one, with
// which it agrees but for that one value: few words of one kind, none of which the query
// names. -1: it says something else, or the same.
func (s *statement) repeats(older *statement) int {
	if !slices.Equal(s.asked, older.asked) {
		return -1
	}
	a, b := s.tokens, older.tokens
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	a, b = a[at:], b[at:]
	shared := at
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, shared = a[:len(a)-1], b[:len(b)-1], shared+1
	}
	if s.of.Speaker != "" {
		shared++ // who says it is a part of it
	}
	if longer := max(len(a), len(b)); shared < 2 || shared <= longer || longer > longestValue ||
		len(a) == 0 || len(b) == 0 || isNumber(a[0]) != isNumber(b[0]) {
		return -1
	}
	return at
}

// beside tells that what repeats an older statement may hold as well as it: it says of
// no change, and either both are two of three and more (who is on a team), or the
// question asks for several, or both say what is not (what somebody does not eat).
func (r *ranking) beside(n, s *statement) bool {
	return !n.changed && (s.several || r.question.Several || analysis.Denies(n.words) && analysis.Denies(s.words))
}

// markSeveral marks the statements that two or more others repeat at the same place, none
// of which says that something changed. What replaces another comes alone more often.
func markSeveral(all []statement) {
	for i := range all {
		s := &all[i]
		others := map[int]int{}
		for j := range all {
			if at := all[j].repeats(s); i != j && !s.changed && !all[j].changed && at >= 0 {
				others[at]++
				s.several = s.several || others[at] == 2
			}
		}
	}
}

func isNumber(token string) bool { return '0' <= token[0] && token[0] <= '9' }

// overtakes tells that a statement which says that something changed is about what an
// older one is: it has most of that one's terms of the query, and does not say what
// something else is.
func (s *statement) overtakes(older *statement) bool {
	if !s.changed || older.changed || 3*common(s.asked, older.asked) < 2*len(older.asked) {
		return false
	}
	thing := s.defined.Thing()
	return common(thing, older.tokens) == len(thing)
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

// isName tells a term of one of the query's names.
func (r *ranking) isName(term string) bool {
	return slices.ContainsFunc(r.question.Names, func(name string) bool { return analysis.Stem(name) == term })
}
