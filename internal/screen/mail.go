package screen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// mailSigns is the evidence by which a text counts as a mail, a notification or a
// page, that is: as something that reports and does not give tasks to the reader's
// assistant. Sentences that are ordinary in a chat are out of place there.
type mailSigns struct {
	header, greeting, business int
	boilerplate, notices       *phrases
}

func newMailSigns() mailSigns {
	return mailSigns{boilerplate: said(
		"reply to this email|message|mail", "unsubscribe|unsubscrib", "view|open|see ~2 in ~2 browser", "you are|were receiving",
		"youre receiving", "you ~1 received this email|message|mail because", "privacy policy|notice", "all rights reserved", "terms of service|use",
		"sent from my", "sent with", "do not reply", "contact support|us", "customer service|support|care", "no longer wish",
		"best|kind|warm regards", "yours sincerely|faithfully|truly", "sincerely", "manage ~2 preferences|subscription",
		"if you have any questions", "any questions", "original message", "this email was sent", "confidentiality notice",
		"cookie|cookies policy", "share this article", "related articles|posts", "thanks for reading|using", "thank you for ~1 using",
	), notices: said(
		"reply to this email|message|mail", "do not reply", "unsubscribe|unsubscrib", "you are|were receiving",
		"your ~5 {business} ~6 has|have|was|were|is|are ~1 {done}", "you|youve ~1 sent|received|paid ~6 payment|transfer|refund|credit|@number",
		"payment ~5 was|has ~1 {done}", "this is your ~1 receipt|invoice|ticket|confirmation|bill", "your ~2 receipt|statement",
		"you ~1 booked|subscribed|ordered",
	)}
}

func (m *mailSigns) prepare(v *vocabulary) {
	m.header, m.greeting, m.business = v.step("{header}"), v.step("{greeting}"), v.step("{business}")
	m.boilerplate.prepare(v)
	m.notices.prepare(v)
}

// isMail: two signs at least of a mail or page.
func isMail(p *page) bool {
	if p.mailed == unknown {
		p.mailed = no
		if p.mailScore() >= 2 {
			p.mailed = yes
		}
	}
	return p.mailed == yes
}

func (p *page) mailScore() int {
	score := min(2, p.headers())
	if p.greeted() {
		score++
	}
	if p.business() >= minBusiness {
		score++
	}
	for i := range p.mail.boilerplate.compiled {
		if score >= 2 {
			break
		}
		if p.occurs(&p.mail.boilerplate.compiled[i]) {
			score++
		}
	}
	return score
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
	return words*notable >= len(p.tokens) && slices.ContainsFunc(p.mail.notices.compiled, func(ph phrase) bool { return p.occurs(&ph) })
}
