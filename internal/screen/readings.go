package screen

import "strings"

// openTags reads text hidden in tag characters.
func (p *page) openTags() {
	for i := 0; i < len(p.odd); i++ {
		if !tag(p.odd[i].r) {
			continue
		}
		first := i
		for i+1 < len(p.odd) && p.follows(i+1) {
			i++
		}
		start, end := p.odd[first].at, p.odd[i].at+p.odd[i].size
		p.reveal(start, end, tagText(p.odd[first:i+1]))
	}
}

// openWhole opens encodings of the whole text, where a sign of them is there.
func (p *page) openWhole() {
	p.openEscapes()
	if p.twice(p.leads.rotated) {
		p.revealAll(strings.Map(rot13, p.text))
	}
	if p.twice(p.leads.reversed) {
		p.revealAll(reverse(p.text))
	}
	p.openSpaced()
	p.openPieces()
}

// twice: two tokens of the text satisfy the step.
func (p *page) twice(step int) bool {
	if !p.seen.has(step) {
		return false
	}
	n := 0
	for i := range p.tokens {
		if p.has(i, step) {
			n++
		}
	}
	return n > 1
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

func reverse(s string) string {
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

// minSpaced is the fewest letters in a row, each by itself, that are read as text.
const minSpaced = 12

// openSpaced reads stretches of letters that stand each by itself ("i g n o r e",
// "i.g.n.o.r.e"): a wider gap, or one other than the first, parts the words.
func (p *page) openSpaced() {
	for i := 0; i < len(p.tokens); i++ {
		first := i
		for i < len(p.tokens) && p.tokens[i].end-p.tokens[i].start == 1 {
			i++
		}
		if i-first >= minSpaced {
			start, end := int(p.tokens[first].start), int(p.tokens[i-1].end)
			p.reveal(start, end, p.unspace(p.tokens[first:i]))
		}
	}
}

func (p *page) unspace(letters []token) string {
	var b strings.Builder
	gap := p.text[letters[0].end:letters[1].start]
	for k, t := range letters {
		if k > 0 && p.text[letters[k-1].end:t.start] != gap {
			b.WriteByte(' ')
		}
		b.WriteByte(p.text[t.start])
	}
	return b.String()
}
