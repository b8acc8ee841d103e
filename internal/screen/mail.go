package screen

import (
	"strings"
	"unicode/utf8"
)

// mailSigns is the evidence by which a text counts as a mail, a notification or a
// page, that is: as something that reports and does not give tasks to the reader's
// assistant. Sentences that are ordinary in a chat or a note are out of place there.
type mailSigns struct {
	header, greeting, business int      // steps
	machinery                  *phrases // what only mails and pages say
	courtesy                   *phrases // what they say as well as others
	notices                    *phrases // how machines tell of a payment, an order, a booking
}

func newMailSigns() mailSigns {
	return mailSigns{
		machinery: said(
			"reply to this email|message|mail", "unsubscribe|unsubscrib", "view|open|see ~2 in ~2 browser", "you are|were receiving",
			"youre receiving", "you ~1 received this email|message|mail because", "all rights reserved", "sent from my",
			"this email was sent", "no longer wish", "confidentiality notice", "share this article", "related articles|posts",
			"thanks for reading", "yours sincerely|faithfully|truly",
		),
		courtesy: said(
			"privacy policy|notice", "terms of service|use", "sent with", "do not reply", "contact support|us", "customer service|support|care",
			"best|kind|warm regards", "sincerely", "manage ~2 preferences|subscription", "any questions", "original message",
			"cookie|cookies policy", "thanks for using", "thank you for ~1 using",
		),
		notices: said(
			"reply to this email|message|mail", "do not reply", "unsubscribe|unsubscrib", "you are|were receiving",
			"your ~5 {business} ~6 has|have|was|were|is|are ~1 {done}", "you|youve ~1 sent|received|paid ~6 payment|transfer|refund|credit|@number",
			"payment ~5 was|has ~1 {done}", "this is your ~1 receipt|invoice|ticket|confirmation|bill", "your ~2 receipt|statement",
			"you ~1 booked|subscribed|ordered",
		),
	}
}

func (m *mailSigns) prepare(v *vocabulary) {
	m.header, m.greeting, m.business = v.step("{header}"), v.step("{greeting}"), v.step("{business}")
	m.machinery.prepare(v)
	m.courtesy.prepare(v)
	m.notices.prepare(v)
}

// isMail tells whether the text is a mail or page: by two signs, one of which at
// least is of form or machinery. Words of business and courtesy alone are no mail:
// notes on how to serve customers are full of them.
func isMail(p *page) bool {
	if p.mailed == unknown {
		p.mailed = no
		if p.twoSigns() {
			p.mailed = yes
		}
	}
	return p.mailed == yes
}

func (p *page) twoSigns() bool {
	signs := p.headers() + p.occurring(p.mail.machinery)
	if p.greeted() {
		signs++
	}
	return signs > 1 || signs == 1 && (p.business() >= minBusiness || p.occurring(p.mail.courtesy) > 0)
}

// occurring counts how many of the phrases stand somewhere.
func (p *page) occurring(f *phrases) int {
	n := 0
	for i := range f.compiled {
		if p.occurs(&f.compiled[i]) {
			n++
		}
	}
	return n
}

// occurs tells whether the phrase stands anywhere.
func (p *page) occurs(ph *phrase) bool {
	if !p.seen.covers(&ph.need) {
		return false
	}
	for i := range p.tokens {
		if p.match(ph, i) >= 0 {
			return true
		}
	}
	return false
}

// headers counts the different header fields at the starts of lines.
func (p *page) headers() int {
	if !p.seen.has(p.mail.header) {
		return 0
	}
	seen := map[uint16]bool{}
	for i, t := range p.tokens {
		if p.has(i, p.mail.header) && p.headed(i) && int(t.end) < len(p.text) && p.text[t.end] == ':' {
			seen[t.word] = true
		}
	}
	return len(seen)
}

// headed: token i starts a line or field, or is the second word of one.
func (p *page) headed(i int) bool {
	return p.tokens[i].place&(lineStart|sentenceStart) != 0 || i > 0 && p.tokens[i-1].place&(lineStart|sentenceStart) != 0
}

// greeted: a line starts with "Dear", "Hi" …, at most three words, and a comma or
// the end of the line.
func (p *page) greeted() bool {
	if !p.seen.has(p.mail.greeting) {
		return false
	}
	for i, t := range p.tokens {
		if t.place&(lineStart|sentenceStart) == 0 || !p.has(i, p.mail.greeting) {
			continue
		}
		rest := p.text[t.end:min(len(p.text), int(t.end)+maxGreeting)]
		if end := strings.IndexAny(rest, ",\n"); end >= 0 && strings.Count(strings.TrimSpace(rest[:end]), " ") < 3 && !strings.ContainsAny(rest[:end], ".!?") {
			return true
		}
		if end := strings.Index(rest, "  "); end > 0 {
			return true
		}
	}
	return false
}

// maxGreeting is the longest name after a greeting, in bytes.
const maxGreeting = 40

// minBusiness is how many different words of business make a notice of one.
const minBusiness = 3

// business counts the different words of payments, orders and bookings; an amount
// of money counts as one.
func (p *page) business() int {
	seen := map[uint16]bool{}
	for i, t := range p.tokens {
		if p.has(i, p.mail.business) {
			seen[t.word] = true
		}
		if t.word == numberWord && money(p.text[:t.start]) {
			seen[numberWord] = true
		}
	}
	return len(seen)
}

// money: the text before a number ends in the sign of a currency.
func money(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return r == '$' || r == '€' || r == '£' || r == '¥' || r == '₹'
}

// notable is the least share of words of business, one in so many, that makes a
// text one about a payment, an order or a booking rather than one that names it.
const notable = 50

// isNotice: a mail about a payment, an order or a booking as machines send them.
func isNotice(p *page) bool {
	if !isMail(p) || p.business() < minBusiness {
		return false
	}
	words := 0
	for i := range p.tokens {
		if p.has(i, p.mail.business) {
			words++
		}
	}
	return words*notable >= len(p.tokens) && p.occurring(p.mail.notices) > 0
}
