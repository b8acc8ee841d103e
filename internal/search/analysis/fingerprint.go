package analysis

import "unicode/utf8"

// Fingerprint is a number of the folded words of a text in order: texts of other words
// hardly ever have the same. 0: it has no words.
func Fingerprint(text string) uint64 {
	p := newWordSum()
	scan(text, func(w word) { p.add(w.text) })
	return p.number()
}

// Start is a number of the first words of a text, and takes the time of reading no more:
// texts with the same Fingerprint have the same.
func Start(text string) uint64 {
	for size := 256; size < len(text); size *= 4 {
		if number, more := start(prefix(text, size)); more {
			return number
		}
	}
	number, _ := start(text)
	return number
}

// startWords is how many words are a start. Of a word the first startBytes bytes count, as
// one of a script without spaces may be as long as the text.
const (
	startWords = 8
	startBytes = 16
)

// start answers whether there are more words than it needs: the last one may go on.
func start(text string) (number uint64, more bool) {
	p := newWordSum()
	scan(text, func(w word) {
		if p.words < startWords {
			p.add(prefix(w.text, startBytes))
		} else {
			more = true
		}
	})
	return p.number(), more
}

// prefix is the beginning of a text, of so many bytes at most and of whole characters.
func prefix(text string, size int) string {
	if size >= len(text) {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}

// wordSum is a sum of words by FNV-1a (Fowler, Noll and Vo).
type wordSum struct {
	sum   uint64
	words int
}

func newWordSum() wordSum { return wordSum{sum: 14695981039346656037} }

func (p *wordSum) add(word string) {
	const prime = 1099511628211
	p.words++
	for i := range len(word) {
		p.sum = (p.sum ^ uint64(word[i])) * prime
	}
	p.sum = (p.sum ^ ' ') * prime
}

// number is 0 for no words alone.
func (p *wordSum) number() uint64 {
	if p.words == 0 {
		return 0
	}
	return max(1, p.sum)
}
