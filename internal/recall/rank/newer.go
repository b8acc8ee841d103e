package rank

import (
	"slices"

	"holdfast/internal/search/analysis"
)

// Newer above older. Of two statements about the same thing the newer one holds, so
// the older is no answer to a question about what is. Statements are texts outside of
// sessions: what is said in a conversation is told apart by its neighbours and stays
// where it is (retrieval.md, section 5: no rule helped there without harm). Where a
// text says for certain that an older one is over, that one was superseded when it was
// written (A0.2) and is no candidate; here it is only likely.
//
// Measured on updates (scripts/bench, part made), shares of the pairs whose newer statement
// is the first entry and whose older one is among the first three: plainly worded .98 and 0
// to .02, where they were .42 to .58 and .60 to .62 before there was a rule; reworded .46 to
// .57 and .16 to .23, from .22 and .6 to .7; told in free words .78 to .86 and .46 to .59. On
// notes of what people did it costs .005 of NDCG, on other sets next to nothing.
const (
	// NewerAbove is the rule's name in Options.Without.
	NewerAbove = "newer"
	// stale is the factor of a statement that another repeats with another value, and
	// likelyStale of one that another overtakes.
	stale, likelyStale = .03, .3
	// behind is that of one that only comes behind another.
	behind = .999
	// contenders is how many of the first entries are looked at.
	contenders = 30
	// longestStatement is the most content tokens of a statement; a longer text says
	// several things.
	longestStatement = 40
	// mostWords is how many words a statement has for each of these at most.
	mostWords = 4
	// longestValue is the most content tokens in which two statements of the same thing
	// may differ on either side.
	longestValue = 5
)

// newestFirst gives newer statements the places of those that they replace.
func (r *ranking) newestFirst(out []Ranked) {
	if !r.question.Present || slices.Contains(r.options.Without, NewerAbove) {
		return
	}
	all := r.statements(out)
	if len(all) < 2 {
		return
	}
	for _, name := range append(slices.Clone(r.question.Names), r.question.Keys()...) {
		r.nameTerms = append(r.nameTerms, analysis.Stem(name))
	}
	markSeveral(all)
	slices.SortStableFunc(all, func(a, b statement) int { return a.of.since().Compare(b.of.since()) })
	scores := make([]float64, len(out))
	for i := range out {
		scores[i] = out[i].Score
	}
	for i := range all {
		if newer, how := r.replacement(&all[i], all[i+1:]); newer != nil {
			r.replace(&out[all[i].place], &out[newer.place], scores[all[i].place], scores[newer.place], how)
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

// replace gives a newer statement the older one's score where that is the greater, be it
// one that the older took over, and the older one less: of what it was on its own. Of two
// that may stand beside each other the older one only comes behind, close.
func (r *ranking) replace(older, newer *Ranked, was, now float64, how relation) {
	older.Parts.Behind = r.candidates[newer.Index].ID
	newer.Score = max(newer.Score, older.Score)
	switch how {
	case beside:
		older.Score *= behind
	case likely:
		older.Score = min(likelyStale*was, now)
	default:
		older.Score = stale * was
	}
}

// Behind is the score of a statement that stands right behind a newer one of that score.
func Behind(newer float64) float64 { return newer * behind }

// replacement is the newest of some newer statements that replaces one in the strongest
// way, and this way; one that holds before one that is past.
func (r *ranking) replacement(s *statement, newer []statement) (by *statement, how relation) {
	for i := range newer {
		n := &newer[i]
		if !r.mayReplace(n, s) {
			continue
		}
		way := r.relation(n, s)
		for j := range n.clauses {
			way = max(way, r.relation(&n.clauses[j], s))
		}
		if way > how || way == how && way != apart && (by.of.Past || !n.of.Past) {
			by, how = n, way
		}
	}
	return by, how
}

// mayReplace tells a statement by which another can be out of date: one that began to
// hold after it and not in the future, is not past where this one still holds, is about
// the same by all that is known beside the text, and says that something is so.
func (r *ranking) mayReplace(n, s *statement) bool {
	if n.of.Past && !s.of.Past {
		return false
	}
	if anchor := r.options.Anchor; n.of.dated() && !anchor.IsZero() && n.of.EventAt.After(anchor) {
		return false
	}
	if analysis.Asks(n.of.Text) || analysis.Supposes(n.words) && !analysis.Supposes(s.words) {
		return false
	}
	return n.of.since().After(s.of.since()) && n.of.Speaker == s.of.Speaker && n.of.Trust >= s.of.Trust &&
		!n.of.About.other(s.of.About) && !otherTags(n.of.Tags, s.of.Tags) && len(s.asked) > 0
}

func (r *ranking) relation(n, s *statement) relation {
	if r.ofAnother(n, s) || r.otherwise(n, s) || r.ofTheirs(n, s) || r.reversed(n, s) {
		return apart
	}
	if n.names(s) || r.ends(n, s) {
		return instead
	}
	if r.unqualified(n, s) || r.ofOthers(n, s) {
		return apart
	}
	if n.unsaid(s) || r.lacks(n, s) || n.defined.Narrows(s.defined) {
		return r.turned(n, s)
	}
	if n.defined.Otherwise(s.defined) {
		return r.turned(n, s)
	}
	if way := r.way(n, s); way < beside || !analysis.Adds(n.words) && (!analysis.Intends(n.words) || analysis.Intends(s.words)) {
		return way
	}
	return beside
}

// way is the relation of two statements about one thing.
func (r *ranking) way(n, s *statement) relation {
	at := n.repeats(s)
	switch {
	case r.redefines(n, s):
		return instead
	case at >= 0 && r.beside(n, s, at):
		return beside
	case at >= 0:
		return instead
	case r.overtakes(n, s):
		return max(likely, r.rewords(n, s))
	}
	return max(r.rewords(n, s), r.turned(n, s))
}
