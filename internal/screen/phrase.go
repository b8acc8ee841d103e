package screen

import (
	"fmt"
	"math/bits"
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
