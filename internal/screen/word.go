package screen

import (
	"unicode"
	"unicode/utf8"
)

// wordBuffer holds a word in small letters, twice: as it is (plain), and with
// letters of other alphabets read as the Latin letters that they pass for
// (folded). A word longer than the buffer is in no vocabulary.
type wordBuffer struct {
	plain, folded [48]byte
	p, f          int  // lengths of plain and folded
	digits        int  // how many digits it has
	latin, twin   bool // it has Latin letters; it has letters that pass for such
	long          bool
}

func (w *wordBuffer) reset() {
	w.p, w.f, w.digits = 0, 0, 0
	w.latin, w.twin, w.long = false, false, false
}

func (w *wordBuffer) addByte(c byte) {
	if w.f == len(w.folded) || w.p == len(w.plain) {
		w.long = true
		return
	}
	w.folded[w.f], w.plain[w.p] = c, c
	w.f, w.p = w.f+1, w.p+1
}

// addRune takes a letter or digit above ASCII.
func (w *wordBuffer) addRune(r rune) {
	like := lookalike(r)
	switch {
	case like == 0:
		w.addOther(r, 0)
	case r >= 0x370 && r < 0x590: // Greek, Cyrillic, Armenian
		w.twin = true
		w.addOther(r, like)
	case like <= '9':
		w.digits++
		w.addByte(like)
	default: // Latin with marks or in another style
		w.latin = true
		w.addByte(like)
	}
}

// addOther takes a letter that is not Latin, and the Latin one it passes for.
func (w *wordBuffer) addOther(r rune, like byte) {
	r = unicode.ToLower(r)
	size := utf8.RuneLen(r)
	if size < 0 || w.f+size > len(w.folded) || w.p+size > len(w.plain) {
		w.long = true
		return
	}
	w.p += utf8.EncodeRune(w.plain[w.p:], r)
	if like != 0 {
		w.folded[w.f] = like
		w.f++
		return
	}
	w.f += utf8.EncodeRune(w.folded[w.f:], r)
}

// best is the reading to look up: folded where Latin letters stand beside others.
func (w *wordBuffer) best() []byte {
	switch {
	case w.long:
		return nil
	case w.latin && w.twin:
		return w.folded[:w.f]
	}
	return w.plain[:w.p]
}

// leetLetters are the letters that digits are written for; 1 may be i or l.
var leetLetters = map[byte]byte{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't'}

// leet reads digits as letters, a 1 as the given one. It spoils the plain reading.
func (w *wordBuffer) leet(one byte) []byte {
	if w.long {
		return nil
	}
	for i, c := range w.folded[:w.f] {
		if l, ok := leetLetters[c]; ok {
			c = l
		}
		if w.folded[i] == '1' {
			c = one
		}
		w.plain[i] = c
	}
	return w.plain[:w.f]
}
