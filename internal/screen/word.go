package screen

import (
	"unicode"
	"unicode/utf8"
)

// wordBuffer holds a word in small letters, as it is (plain) and, where letters of
// other alphabets pass for Latin ones, as it looks (folded). A word longer than the
// buffer is in no vocabulary.
type wordBuffer struct {
	plain, folded [48]byte
	unleet        [48]byte // a reading of digits as letters
	p, f          int      // lengths; f counts only once twin is set
	digits        int      // how many digits it has
	latin, twin   bool     // it has Latin letters; it has letters that pass for such
	long          bool
}

func (w *wordBuffer) reset() {
	w.p, w.f, w.digits = 0, 0, 0
	w.latin, w.twin, w.long = false, false, false
}

// addASCII takes the letters and digits that a text starts with and answers how
// many they were.
func (w *wordBuffer) addASCII(text string) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf {
		switch ascii[text[n]] {
		case letter:
			w.latin = true
			w.addByte(text[n] | 0x20)
		case digit:
			w.digits++
			w.addByte(text[n])
		default:
			return n
		}
		n++
	}
	return n
}

func (w *wordBuffer) addByte(c byte) {
	if w.p == len(w.plain) || w.f == len(w.folded) {
		w.long = true
		return
	}
	w.plain[w.p] = c
	w.p++
	if w.twin {
		w.folded[w.f] = c
		w.f++
	}
}

// addRune takes a letter or digit above ASCII.
func (w *wordBuffer) addRune(r rune) {
	like := lookalike(r)
	switch {
	case like == 0:
		w.addOther(r, 0)
	case r >= 0x370 && r < 0x590: // Greek, Cyrillic, Armenian
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
	if size < 0 || w.p+size > len(w.plain) || w.f+size > len(w.folded) {
		w.long = true
		return
	}
	if like != 0 && !w.twin {
		w.twin = true
		w.f = copy(w.folded[:], w.plain[:w.p])
	}
	w.p += utf8.EncodeRune(w.plain[w.p:], r)
	switch {
	case like != 0:
		w.folded[w.f] = like
		w.f++
	case w.twin:
		w.f += utf8.EncodeRune(w.folded[w.f:], r)
	}
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

// leetLetters are the letters that digits are written for; a 1 may be an i or an l.
var leetLetters = map[byte]byte{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't'}

// leet reads digits as letters, a 1 as the given one.
func (w *wordBuffer) leet(one byte) []byte {
	best := w.best()
	for i, c := range best {
		switch l, ok := leetLetters[c]; {
		case c == '1':
			w.unleet[i] = one
		case ok:
			w.unleet[i] = l
		default:
			w.unleet[i] = c
		}
	}
	return w.unleet[:len(best)]
}
