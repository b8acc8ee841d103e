package made

import "strings"

const besides = 3 // statements about other attributes of a pair's subject

// newReworded is half of the hard set. Among the pairs stand what other subjects have
// of the same attribute, what the same subject has of others, often with a word of the
// question or with the older value, and what has to do with neither. A third of the
// pairs says old and new in the same words, the others say it differently; a tenth
// gives the attribute; half give dates.
func newReworded(name string) Half {
	var all []written
	var pairs []*Pair
	for n, b := range read("reworded_" + name) {
		t := topic{block: b, pools: readPools(), draw: newDraw(name + b.one("name")), number: n}
		t.write()
		all, pairs = append(all, t.all...), append(pairs, t.pairs...)
	}
	all = append(all, loose(newDraw("loose "+name))...)
	return inOrder("reworded", name, all, pairs)
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
		t.say(t.of(t.block["was"]), s, values[0], "", t.between(0, lastDay), dated)
		t.say(t.of(without(t.block["beside"], "{o}")), s, values[0], "", t.between(0, lastDay), dated)
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
	p := &Pair{Topic: t.one("name"), Subject: subject, Question: fill(t.of(t.block["ask"]), "s", subject)}
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
		t.say(beside, subject, newer, older, t.between(0, lastDay), dated)
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
