package screen

import (
	"strings"
	"unicode/utf8"
)

// How many words may stand between the name of a secret and the verb that gives its
// value ("the password for the guest network is …"), after a preposition.
const maxOwner = 5

// maxGap is how far a value may stand behind the verb, in bytes.
const maxGap = 8

// statement finds values that a sentence gives to a name, in any of the languages
// whose names, prepositions and verbs the vocabulary has.
type statement struct{ of, is int } // steps

func (s *statement) prepare(v *vocabulary) { s.of, s.is = v.step("{of}"), v.step("{copula}") }

// value answers where the value is that the sentence gives to what token i names,
// 0, 0 for none.
func (s *statement) value(p *page, i int) (start, end int) {
	last := i + 1
	if last < len(p.tokens) && p.has(last, s.of) && !p.has(last, s.is) {
		last = i + 1 + maxOwner
	}
	for j := i + 1; j <= last && j < len(p.tokens) && p.tokens[j].place&sentenceStart == 0; j++ {
		if p.has(j, s.is) && p.spaced(j) {
			if start, end = p.given(int(p.tokens[j].end)); start < end {
				return start, end
			}
		}
		if start, end = p.assigned(int(p.tokens[j].end)); start < end && j < last {
			return start, end
		}
	}
	return 0, 0
}

// spaced: token j is not the second half of a compound ("password-is").
func (p *page) spaced(j int) bool {
	r, _ := utf8.DecodeLastRuneInString(p.text[:p.tokens[j].start])
	return r != '-' && r != '_' && r != '/'
}

// given answers the value behind the verb that ends at: after a blank, a quotation
// mark or a colon, or at once in a script without blanks.
func (p *page) given(at int) (start, end int) {
	rest := p.text[at:min(len(p.text), at+maxGap)]
	gap := len(rest) - len(strings.TrimLeft(rest, " \t\n:：„“”«‹「『"))
	last, _ := utf8.DecodeLastRuneInString(p.text[:at])
	if gap == 0 && !unspaced(last) && strings.Trim(rest[:min(1, len(rest))], "\"'`*") != "" {
		return 0, 0
	}
	return p.valueAt(at + gap)
}
