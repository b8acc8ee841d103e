package screen

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A phrase is a row of steps that words of one sentence must satisfy in order:
//
//	word        this word; letters of unspaced scripts are one step each
//	a|b         one of these
//	{name}      one of the class in words.go; also inside a|b
//	@link @address @number   tokens of that kind
//	@trap       a link or address whose name says that it collects what is sent
//	step?       may be absent
//	~4 step     up to four words of any kind may stand before the step
//	^ step      the first step must stand where an order starts: at the start of a
//	            sentence, clause or line, or after "please", "now", "you must" …
//	^^ step     at the start of a sentence or line only, or after "please"
//
// A phrase is not found right after a negation in the same clause.

// stepWords bounds the number of different steps in the whole table.
const stepWords = 8

// bitset is a set of steps.
type bitset [stepWords]uint64

func (b *bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b *bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

func (b *bitset) merge(o *bitset) {
	for i := range b {
		b[i] |= o[i]
	}
}

func (b *bitset) covers(o *bitset) bool {
	for i := range b {
		if o[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// vocabulary holds every word that some phrase names, and the steps it satisfies.
type vocabulary struct {
	lexicon
	steps []bitset       // by word
	names map[string]int // step text → step
}

// reserved names the words that stand for kinds of tokens.
var reserved = map[string]uint16{"@link": linkWord, "@trap": trapWord, "@address": addressWord, "@number": numberWord}

func newVocabulary() vocabulary {
	return vocabulary{lexicon: newLexicon(), steps: make([]bitset, reservedWords), names: map[string]int{}}
}

// step answers the number of a step, made at its first use.
func (v *vocabulary) step(text string) int {
	if n, ok := v.names[text]; ok {
		return n
	}
	n := len(v.names)
	if n == stepWords*64 {
		panic("screen: more steps than stepWords holds")
	}
	v.names[text] = n
	for _, alternative := range strings.Split(text, "|") {
		for _, word := range expand(alternative) {
			v.steps[v.id(word)].add(n)
		}
	}
	return n
}

// stepOf makes a step of the words of the class "core" in another spelling.
func (v *vocabulary) stepOf(spell func(string) string) int {
	words := strings.Fields(classes["core"])
	for i, w := range words {
		words[i] = spell(w)
	}
	return v.step(strings.Join(words, "|"))
}

// expand answers the words of a class, or the word itself.
func expand(alternative string) []string {
	if !strings.HasPrefix(alternative, "{") {
		return []string{alternative}
	}
	words, ok := classes[strings.Trim(alternative, "{}")]
	if !ok {
		panic("screen: no class " + alternative)
	}
	return strings.Fields(words)
}

// id answers the number of a word, folded as the reader folds texts.
func (v *vocabulary) id(word string) uint16 {
	if id, ok := reserved[word]; ok {
		return id
	}
	key := foldWord(word)
	if id := v.lookup(key); id != unknownWord {
		return id
	}
	id := uint16(len(v.steps))
	v.insert(string(key), id)
	v.steps = append(v.steps, bitset{})
	return id
}

// foldWord reads a word as the reader does.
func foldWord(word string) []byte {
	var w wordBuffer
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			w.latin = true
			w.addByte(byte(r))
		case kindOf(r) != mark:
			w.addRune(r)
		}
	}
	return slices.Clone(w.best())
}

// step of a phrase.
type step struct {
	set      int // which words satisfy it
	gap      int // how many words may stand before it
	optional bool
}

// phrase is a compiled row of steps.
type phrase struct {
	steps []step
	need  bitset // steps that cannot be absent
	place place  // where it may start; 0: anywhere
}

func (v *vocabulary) compile(text string) phrase {
	var ph phrase
	gap := 0
	for _, field := range strings.Fields(text) {
		switch {
		case field == "^":
			ph.place = clauseStart
		case field == "^^":
			ph.place = lineStart | sentenceStart
		case field[0] == '~':
			n, err := strconv.Atoi(field[1:])
			if err != nil {
				panic(fmt.Sprintf("screen: bad gap in %q", text))
			}
			gap = n
		default:
			ph.addField(v, field, gap)
			gap = 0
		}
	}
	if len(ph.steps) == 0 || ph.steps[0].optional {
		panic(fmt.Sprintf("screen: %q must start with a step that is there", text))
	}
	return ph
}

func (ph *phrase) addField(v *vocabulary, field string, gap int) {
	field, optional := strings.CutSuffix(field, "?")
	if first, _ := utf8.DecodeRuneInString(field); unspaced(first) && !strings.Contains(field, "|") {
		for _, r := range field {
			ph.addStep(v.step(string(r)), gap, optional)
			gap = 0
		}
		return
	}
	ph.addStep(v.step(field), gap, optional)
}

func (ph *phrase) addStep(set, gap int, optional bool) {
	ph.steps = append(ph.steps, step{set, gap, optional})
	if !optional {
		ph.need.add(set)
	}
}

// window is how many words a phrase may span.
const window = 64

// match answers the index of the token after the phrase that starts at token i,
// -1 for none. State holds, as bits counted from i, where the steps so far may
// have ended, so every token is looked at a bounded number of times.
func (p *page) match(ph *phrase, i int) int {
	if !p.has(i, ph.steps[0].set) {
		return -1
	}
	limit := p.limit(i)
	state := uint64(1)
	for _, s := range ph.steps[1:] {
		reach := uint64(0)
		for d := 1; d <= s.gap+1; d++ {
			reach |= state << d
		}
		next := uint64(0)
		for b := reach & limit; b != 0; b &= b - 1 {
			if j := bits.TrailingZeros64(b); p.has(i+j, s.set) {
				next |= 1 << j
			}
		}
		if s.optional {
			next |= state
		}
		if state = next; state == 0 {
			return -1
		}
	}
	return i + bits.TrailingZeros64(state) + 1
}

func (p *page) has(token, step int) bool { return p.steps[p.tokens[token].word].has(step) }

// limit is the mask of the tokens from i on that are of the same sentence.
func (p *page) limit(i int) uint64 {
	n := 1
	for n < window && i+n < len(p.tokens) && p.tokens[i+n].place&sentenceStart == 0 {
		n++
	}
	return 1<<n - 1
}

// phrases is the finder of rows made of phrases.
type phrases struct {
	texts, exceptions []string
	compiled, except  []phrase
	firsts            []int // the first step of each compiled phrase, close together
}

// said finds a text in which one of the phrases occurs.
func said(texts ...string) *phrases { return &phrases{texts: texts} }

// unless lets a phrase pass in whose sentence one of the others occurs too.
func (f *phrases) unless(texts ...string) *phrases {
	f.exceptions = texts
	return f
}

func (f *phrases) prepare(v *vocabulary) {
	for _, t := range f.texts {
		ph := v.compile(t)
		f.compiled = append(f.compiled, ph)
		f.firsts = append(f.firsts, ph.steps[0].set)
	}
	for _, t := range f.exceptions {
		f.except = append(f.except, v.compile(t))
	}
}

func (f *phrases) find(p *page) {
	for k, first := range f.firsts {
		if p.seen.has(first) && p.seen.covers(&f.compiled[k].need) {
			f.findOne(p, &f.compiled[k])
		}
	}
}

func (f *phrases) findOne(p *page, ph *phrase) {
	for i := 0; i < len(p.tokens); i++ {
		end := p.match(ph, i)
		if end < 0 || !p.mayStart(ph, i) || f.excused(p, ph, i) {
			continue
		}
		p.report(int(p.tokens[i].start), int(p.tokens[end-1].end))
		i = end - 1
	}
}

// excused: an exception stands in the sentence of token i, or the words are only
// quoted there.
func (f *phrases) excused(p *page, ph *phrase, i int) bool {
	if p.rule.quotable && p.mentioned(i) {
		return true
	}
	if len(f.except) == 0 {
		return false
	}
	first, last := p.sentence(i, ph.place)
	for j := first; j < last; j++ {
		for k := range f.except {
			if p.match(&f.except[k], j) >= 0 {
				return true
			}
		}
	}
	return false
}

// sentence answers the tokens around i up to the ends of the sentence, within one
// window on either side; for a phrase that starts a line, those of its line.
func (p *page) sentence(i int, starts place) (first, last int) {
	ends := sentenceStart
	if starts&lineStart != 0 {
		ends |= lineStart
	}
	first = i
	for starts&lineStart == 0 && first > 0 && i-first < window && p.tokens[first].place&ends == 0 {
		first--
	}
	for last = i + 1; last < len(p.tokens) && last-i < window && p.tokens[last].place&ends == 0; last++ {
	}
	return first, last
}

// combine joins one of each list to phrases: groups of first words, gap, second
// words, gap, third words.
func combine(groups ...combination) []string {
	var texts []string
	for _, g := range groups {
		for _, a := range g.first {
			for _, b := range g.second {
				for _, c := range g.third {
					texts = append(texts, a+" "+g.gaps[0]+" "+b+" "+g.gaps[1]+" "+c)
				}
			}
		}
	}
	return texts
}

// combination is what combine takes: three lists and the gaps between them.
type combination struct {
	first, second, third []string
	gaps                 [2]string
}
