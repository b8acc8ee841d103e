package made

import (
	"slices"
	"strings"
)

// Of the hundred pairs of a half. Every pair has a number of its own below a hundred,
// so that the shares are exact.
const (
	restated  = 30 // say the newer in the words of the older
	strangers = 3  // other subjects of a topic with a first word of their own
)

// newPlain is half of the ordinary set: facts as an agent notes them, where the older
// and the newer statement name subject and attribute in words that the question has
// too. In ten topics some pairs have a verb for the attribute («lives in», «moved to»),
// and half of those are asked for by the noun all the same. Among the pairs stand what
// other subjects have of the same attribute, one of which shares a first word with the
// pair's; what the same subject has of others, one of these worded as a change; and
// what has to do with neither. A tenth of the pairs has a third, oldest value; a tenth
// gives the attribute; half give dates.
func newPlain(name string) Half {
	var all []written
	var pairs []*Pair
	topics, casts := read("plain_"+name), newCasts(name)
	numbers := newDraw("plain " + name).Perm(len(topics) * pairsOfTopic)
	for n, b := range topics {
		t := plainTopic{block: b, draw: newDraw("plain " + name + " " + b.one("name")), words: read("plain_words")[0]}
		t.others = slices.DeleteFunc(slices.Clone(topics), func(o block) bool {
			return o.one("kind") != b.one("kind") || o.one("name") == b.one("name")
		})
		t.write(casts[b.one("kind")], numbers[n*pairsOfTopic:])
		all, pairs = append(all, t.all...), append(pairs, t.pairs...)
	}
	all = append(all, loose(newDraw("plain loose "+name))...)
	return inOrder("plain", name, all, pairs)
}

// plainTopic is one attribute with its subjects.
type plainTopic struct {
	block
	draw
	words  block   // to say and ask for any attribute
	others []block // topics of the same kind of subject
	all    []written
	pairs  []*Pair
}

func (t *plainTopic) write(c *cast, numbers []int) {
	for n := range pairsOfTopic {
		first := c.first()
		t.pair(c.subject(first), numbers[n])
		t.rival(c.subject(first))
	}
	for range strangers {
		t.rival(c.subject(c.first()))
	}
}

// pair writes two or three values of a subject and what stands beside them.
func (t *plainTopic) pair(subject string, number int) {
	said := t.style(t.block)
	p := &Pair{Topic: t.one("name"), Subject: subject, Question: t.question(said, subject)}
	t.pairs = append(t.pairs, p)
	dated, steps, attribute := number%4 < 2, 2, ""
	if number%10 == 7 {
		steps = 3
	}
	if number%10 == 5 {
		attribute = strings.ReplaceAll(subject+" "+p.Topic, " ", "_")
	}
	template, before, on := t.of(said["was"]), "", t.between(0, lastDay-200*(steps-1))
	for i, value := range some(t.draw, t.list("values"), steps) {
		if i > 0 && number >= restated {
			template = t.of(said["now"])
		}
		w := t.say(t.block, template, subject, value, before, on, dated)
		w.pair, w.newer, w.Attribute = p, i == steps-1, attribute
		before, on = value, on+t.between(20, 200)
	}
	t.beside(subject, dated)
}

// beside writes other attributes of a pair's subject, one of them worded as a change.
func (t *plainTopic) beside(subject string, dated bool) {
	for i, o := range some(t.draw, t.others, besides+1) {
		template := t.words.one("also")
		if i > 0 {
			template = t.of(t.style(o)["was"])
		}
		t.say(o, template, subject, t.of(o.list("values")), "", t.between(0, lastDay), dated)
	}
}

// rival writes what another subject has of the attribute.
func (t *plainTopic) rival(subject string) {
	dated := t.IntN(2) == 0
	t.say(t.block, t.of(t.style(t.block)["was"]), subject, t.of(t.list("values")), "", t.between(0, lastDay), dated)
}

// style is with which words an attribute is said: if it has some of its own, with these
// half of the time.
func (t *plainTopic) style(of block) block {
	if of["was"] != nil && t.IntN(2) == 0 {
		return of
	}
	return t.words
}

func (t *plainTopic) question(said block, subject string) string {
	template := t.of(said["ask"])
	if t.IntN(2) == 0 {
		template = t.of(t.words["ask"])
	}
	word := t.one("asks")
	if word == "" {
		word = "What"
	}
	return sentence(template, "w", word, "s", subject, "a", t.one("name"))
}

// say writes a statement about an attribute.
func (t *plainTopic) say(of block, template, subject, value, older string, on int, dated bool) *written {
	date := day(on)
	w := written{day: on, Statement: Statement{Text: sentence(template,
		"s", subject, "a", of.one("name"), "v", value, "o", older, "date", date.Format("2 January 2006"))}}
	if dated {
		w.ValidFrom = date
	}
	t.all = append(t.all, w)
	return &t.all[len(t.all)-1]
}
