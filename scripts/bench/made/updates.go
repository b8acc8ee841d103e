package made

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Statement is what somebody wrote to an agent's memory.
type Statement struct {
	Text      string
	Speaker   string    // empty: nobody
	Attribute string    // the append's field; empty: not given
	ValidFrom time.Time // zero: not given, the order of writing says what is newer
}

// Pair is two statements about the same attribute of the same subject, of which the
// newer replaces the older, and a question in the present tense.
type Pair struct {
	Topic        string
	Older, Newer int // places among the statements
	Question     string
}

// Half is half of the update pairs with all that is written around them.
type Half struct {
	Name       string      // «open», or «held» back from tuning
	Statements []Statement // in the order of writing; nobody says the same text twice
	Pairs      []Pair
}

const (
	pairsOfTopic = 5 // the first subjects have a pair
	besides      = 3 // statements about other attributes of a pair's subject
	looseOnes    = 120
)

// Updates are 200 pairs in 40 topics, half of the topics in each half. Among them stand
// what other subjects have of the same attribute, what the same subject has of others,
// often with a word of the question or with the older value, and what has to do with
// neither. A third of the pairs says old and new in the same words, the others say it
// differently; a tenth gives the attribute; half give dates.
func Updates() []Half {
	return []Half{newHalf("open"), newHalf("held")}
}

// written is a statement with the day of its writing and the pair that it belongs to.
type written struct {
	Statement
	day   int
	pair  *Pair // nil: none
	newer bool
}

func newHalf(name string) Half {
	p := readPools()
	var all []written
	var pairs []*Pair
	for n, b := range read("updates_" + name) {
		t := topic{block: b, pools: p, draw: newDraw(name + b.one("name")), number: n}
		t.write()
		all, pairs = append(all, t.all...), append(pairs, t.pairs...)
	}
	d := newDraw("loose " + name)
	loose := read("pools")[0]["loose"]
	for n := range looseOnes {
		all = append(all, written{Statement: Statement{Text: sentence(p.scene(d, loose[n%len(loose)], ""))}, day: d.between(0, 500)})
	}
	return inOrder(name, all, pairs)
}

// inOrder sorts the statements by day and leaves out what one speaker says again.
func inOrder(name string, all []written, pairs []*Pair) Half {
	h := Half{Name: name}
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
			w.pair.Older = len(h.Statements)
		}
		h.Statements = append(h.Statements, w.Statement)
	}
	for _, p := range pairs {
		h.Pairs = append(h.Pairs, *p)
	}
	return h
}

// topic is one attribute with its subjects.
type topic struct {
	block
	pools
	draw
	number int // of the topic
	all    []written
	pairs  []*Pair
}

func (t *topic) write() {
	subjects := t.list("subjects")
	if t.one("subjects") == "people" {
		subjects = some(t.draw, t.people, 8)
	}
	for n, s := range subjects {
		values := some(t.draw, t.list("values"), 2)
		if n < pairsOfTopic {
			t.pair(n, s, values[0], values[1])
			continue
		}
		dated := t.IntN(2) == 0
		t.say(t.of(t.block["was"]), s, values[0], "", t.between(0, 500), dated)
		t.say(t.of(without(t.block["beside"], "{o}")), s, values[0], "", t.between(0, 500), dated)
	}
}

// pair writes an older and a newer statement about a subject, and statements about
// its other attributes before, between and after them.
func (t *topic) pair(n int, subject, older, newer string) {
	number := t.number*pairsOfTopic + n
	was := t.of(t.block["was"])
	now := t.of(t.block["now"])
	if number%10 < 3 {
		now = was
	}
	dated := t.IntN(2) == 0
	p := &Pair{Topic: t.one("name"), Question: fill(t.of(t.block["ask"]), "s", subject)}
	t.pairs = append(t.pairs, p)
	first := t.between(0, 300)
	a := t.say(was, subject, older, "", first, dated)
	b := t.say(now, subject, newer, older, first+t.between(20, 200), dated)
	t.all[a].pair, t.all[b].pair, t.all[b].newer = p, p, true
	if number%10 == 5 {
		attribute := strings.ReplaceAll(subject+" "+p.Topic, " ", "_")
		t.all[a].Attribute, t.all[b].Attribute = attribute, attribute
	}
	for _, beside := range some(t.draw, t.block["beside"], besides) {
		t.say(beside, subject, newer, older, t.between(0, 500), dated)
	}
}

// say writes a statement and answers its place.
func (t *topic) say(template, subject, value, older string, on int, dated bool) int {
	text := t.scene(t.draw, template, subject)
	w := written{day: on, Statement: Statement{Text: sentence(text, "s", subject, "S", subject, "v", value, "o", older), Speaker: t.one("speaker")}}
	if w.Speaker == "self" {
		w.Speaker = subject
	}
	if dated {
		w.ValidFrom = day(on)
	}
	t.all = append(t.all, w)
	return len(t.all) - 1
}
