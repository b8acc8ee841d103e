package rerank

import (
	"math"
	"slices"
	"strings"

	"holdfast/internal/search/analysis"
)

// asked is a question as the features see it, for one set of texts.
type asked struct {
	analysis.Question
	index   map[string]int // term → its number in the order of the question, names of speakers left out
	terms   int            // size of index
	rarity  []float64      // by term
	whole   float64        // sum of rarity
	figures []bool         // by term: a number, or a month that the question means
	figured int            // how many of them
	quoted  [][]string     // the words of each quotation
	names   map[string]int // those of nobody who speaks, numbered
	self    bool           // about a speaker, or the asker
	who     bool           // asks for a person
	howMany bool           // asks for a number
	words   bool           // some feature needs the words of the texts

	seen   marks // by term
	named  marks // by name
	within []int // by term; space for window
}

// mostQuoted bounds the quotations that are looked for: each costs a look at every
// text.
const mostQuoted = 8

func ask(q analysis.Question, texts []Text) *asked {
	a := &asked{Question: q, index: make(map[string]int, len(q.Terms)), names: map[string]int{}}
	speakers := a.split(texts)
	a.number(speakers)
	for _, part := range q.Quoted[:min(len(q.Quoted), mostQuoted)] {
		if words := analysis.Words(part); len(words) > 0 {
			a.quoted = append(a.quoted, words)
		}
	}
	a.self = len(speakers) > 0 || q.FirstPerson
	a.who = slices.ContainsFunc(q.Words, asksPerson)
	a.howMany = !q.AsksTime && asksNumber(q.Words)
	a.words = a.self || len(a.names) > 0 || len(a.quoted) > 0
	a.seen.last, a.named.last, a.within = make([]int, a.terms), make([]int, len(a.names)), make([]int, a.terms)
	return a
}

// number numbers the terms, but for those that are left out.
func (a *asked) number(without []string) {
	months := stems(a.Months)
	for _, term := range a.Terms {
		if slices.Contains(without, term) {
			continue
		}
		a.index[term] = a.terms
		a.terms++
		figure := isDigit(term[0]) || slices.Contains(months, term)
		a.figures = append(a.figures, figure)
		a.figured += int(one(figure))
	}
}

// split parts the names of the question: those of speakers, as terms, are answered.
func (a *asked) split(texts []Text) (speakers []string) {
	spoken := map[string]bool{}
	last := ""
	for i := range texts {
		if speaker := texts[i].Speaker; speaker != last {
			last = speaker
			for _, word := range analysis.Words(speaker) {
				spoken[word] = true
			}
		}
	}
	for _, name := range a.Names {
		if spoken[name] {
			speakers = append(speakers, analysis.Terms(name)...)
		} else {
			a.names[name] = len(a.names)
		}
	}
	return speakers
}

// stems are the months as terms.
func stems(months []analysis.Month) []string {
	var out []string
	for _, m := range months {
		out = append(out, analysis.Stem(strings.ToLower(m.Month.String())))
	}
	return out
}

func asksPerson(word string) bool { return word == "who" || word == "whom" || word == "whose" }

// asksNumber finds "how many" and "how much".
func asksNumber(words []string) bool {
	for i := 1; i < len(words); i++ {
		if words[i-1] == "how" && (words[i] == "many" || words[i] == "much") {
			return true
		}
	}
	return false
}

// weigh sets the rarity of each term: one that few of the texts hold tells them
// apart, one that all of them hold says next to nothing.
func (a *asked) weigh(texts []reading) {
	a.rarity = make([]float64, a.terms)
	for i := range texts {
		for _, h := range texts[i].hits {
			if h.first {
				a.rarity[h.term]++
			}
		}
	}
	n := float64(len(texts))
	for term, holders := range a.rarity {
		a.rarity[term] = math.Log1p((n - holders + .5) / (holders + .5))
		a.whole += a.rarity[term]
	}
}

// marks tell what was met before since the last start.
type marks struct {
	last []int
	now  int
}

func (m *marks) start() { m.now++ }

func (m *marks) first(i int) bool {
	first := m.last[i] != m.now
	m.last[i] = m.now
	return first
}
