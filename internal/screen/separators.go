package screen

import (
	"slices"
	"strings"
)

// Words taken apart by marks that end sentences ("stop. all. work.") are read as
// one sentence: from minPieces pieces on, of at most maxPiece words each.
const (
	minPieces = 2
	maxPiece  = 2
)

// openPieces reads rows of pieces that are too short for sentences of their own.
func (p *page) openPieces() {
	first, pieces := 0, 0
	for i := 0; i < len(p.tokens); {
		end := p.pieceEnd(i)
		if end-i > maxPiece {
			p.joinPieces(first, i, pieces)
			first, pieces = end, 0
		} else {
			pieces++
		}
		i = end
	}
	p.joinPieces(first, len(p.tokens), pieces)
}

// pieceEnd answers the token after the sentence that starts at token i.
func (p *page) pieceEnd(i int) int {
	for i++; i < len(p.tokens) && p.tokens[i].place&sentenceStart == 0; i++ {
	}
	return i
}

// joinPieces screens the tokens as one sentence.
func (p *page) joinPieces(first, last, pieces int) {
	if pieces < minPieces {
		return
	}
	var b strings.Builder
	start, end := int(p.tokens[first].start), int(p.tokens[last-1].end)
	for _, t := range p.tokens[first:last] {
		if t.word != numberWord { // the marks of a numbered list
			b.WriteString(p.text[t.start:t.end])
			b.WriteByte(' ')
		}
	}
	p.revealNew(start, end, b.String())
}

// revealNew screens another reading of text[start:end]; what is found in it counts
// when the text as it stands did not show it already.
func (p *page) revealNew(start, end int, reading string, besides ...string) {
	if !readable(reading) {
		return
	}
	found := p.engine.check(reading, p.depth+1).Reasons
	p.adopt(start, end, slices.DeleteFunc(found, func(code string) bool {
		return p.caught(code) || slices.Contains(besides, code)
	}))
}
