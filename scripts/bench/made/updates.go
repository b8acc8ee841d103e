package made

import (
	"cmp"
	"slices"
	"time"
)

// Statement is what somebody wrote to an agent's memory.
type Statement struct {
	Text      string
	Speaker   string    // empty: nobody
	Attribute string    // the append's field; empty: not given
	ValidFrom time.Time // zero: not given, the order of writing says what is newer
}

// Pair is statements about the same attribute of the same subject, of which the newest
// replaces the others, and a question in the present tense.
type Pair struct {
	Topic    string
	Subject  string
	Older    []int // places among the statements, from the oldest on; mostly one
	Newer    int
	Question string
}

// Half is half of a set of update pairs with all that is written around them.
type Half struct {
	Set        string      // «plain», «reworded» or «told»
	Name       string      // «open», or «held» back from tuning
	Statements []Statement // in the order of writing; nobody says the same text twice
	Pairs      []Pair
}

// Title names a half among those of all sets.
func (h Half) Title() string { return h.Set + " " + h.Name }

const (
	pairsOfTopic = 5
	looseOnes    = 120 // statements of a half that have to do with no topic
	lastDay      = 500 // of writing
)

// Updates are two sets of 200 pairs in 40 topics, half of the topics in each half: the
// ordinary case, in which older, newer and question share their words, and a hard one,
// in which they mostly do not; and a set of 220 pairs that no template made.
func Updates() []Half {
	return []Half{newPlain("open"), newPlain("held"), newReworded("open"), newReworded("held"), newTold("open"), newTold("held")}
}

// written is a statement with the day of its writing and the pair that it belongs to.
type written struct {
	Statement
	day   int
	pair  *Pair // nil: none
	newer bool
}

// inOrder sorts the statements by day and leaves out what one speaker says again.
func inOrder(set, name string, all []written, pairs []*Pair) Half {
	h := Half{Set: set, Name: name}
	seen := make(map[string]bool)
	slices.SortStableFunc(all, func(a, b written) int { return cmp.Compare(a.day, b.day) })
	for _, w := range all {
		if seen[w.Speaker+w.Text] {
			continue
		}
		seen[w.Speaker+w.Text] = true
		switch {
		case w.pair != nil && w.newer:
			w.pair.Newer = len(h.Statements)
		case w.pair != nil:
			w.pair.Older = append(w.pair.Older, len(h.Statements))
		}
		h.Statements = append(h.Statements, w.Statement)
	}
	for _, p := range pairs {
		h.Pairs = append(h.Pairs, *p)
	}
	return h
}

// loose are statements that have to do with no topic.
func loose(d draw) []written {
	p := readPools()
	templates := read("pools")[0]["loose"]
	var out []written
	for n := range looseOnes {
		text := sentence(p.scene(d, templates[n%len(templates)], ""))
		out = append(out, written{Statement: Statement{Text: text}, day: d.between(0, lastDay)})
	}
	return out
}
