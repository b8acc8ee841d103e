package screen

import (
	"strings"
	"unicode/utf8"
)

// leads are the words after which an order may start without punctuation; steps
// number classes of the table, so they are looked up once.
type leads struct{ lead, polite, needing, to, negation, mention, rotated, reversed int }

func newLeads(v *vocabulary) leads {
	return leads{
		lead: v.step("{lead}"), polite: v.step("{polite}"), needing: v.step("{needing}"), to: v.step("to"),
		negation: v.step("{negation}"), mention: v.step("{mention}"),
		rotated: v.stepOf(func(w string) string { return strings.Map(rot13, w) }), reversed: v.stepOf(reverse),
	}
}

// mayStart tells whether the phrase may start at token i.
func (p *page) mayStart(ph *phrase, i int) bool {
	if p.negated(i) {
		return false
	}
	if ph.place == 0 || p.tokens[i].place&ph.place != 0 {
		return true
	}
	if i == 0 {
		return false
	}
	if ph.place&clauseStart == 0 {
		return p.has(i-1, p.leads.polite)
	}
	return p.has(i-1, p.leads.lead) || i > 1 && p.has(i-1, p.leads.to) && p.has(i-2, p.leads.needing)
}

// negated: a negation stands right before token i, or one word before that, in
// the same clause.
func (p *page) negated(i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		if p.tokens[j+1].place&clauseStart != 0 {
			return false
		}
		if p.has(j, p.leads.negation) {
			return true
		}
	}
	return false
}

// maxQuote is the longest quotation, in bytes, that counts as a mention.
const maxQuote = 160

// mentioned tells whether the words at start open a quotation that the sentence
// introduces as an example of wording ("phrases such as …", "the string …"): a
// text about injections is not one. Nothing else between quotes is excused.
func (p *page) mentioned(i int) bool {
	start := int(p.tokens[i].start)
	before := strings.TrimRight(p.text[:start], " ")
	open, _ := utf8.DecodeLastRuneInString(before)
	closing, ok := quotes[open]
	if !ok {
		return false
	}
	after := p.text[start:min(len(p.text), start+maxQuote)]
	if !strings.ContainsRune(after, closing) {
		return false
	}
	return p.introduced(i)
}

// quotes pairs opening and closing quotation marks.
var quotes = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '‘': '’', '«': '»', '„': '“', '「': '」'}

// introduced: one of the three words before token i says that wording follows.
func (p *page) introduced(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if p.has(j, p.leads.mention) {
			return true
		}
		if p.tokens[j+1].place&sentenceStart != 0 {
			return false
		}
	}
	return false
}
