package static

import (
	"unicode"
	"unicode/utf8"
)

// class is what a character does to the cutting of words.
type class byte

const (
	letter  class = iota // part of a word
	space                // ends a word
	single               // ends a word and is one of its own
	ignored              // not there: accents, controls, format characters
)

// asciiClasses answers for the characters that most text consists of.
var asciiClasses = func() (classes [utf8.RuneSelf]class) {
	for r := range classes {
		classes[r] = unicodeClass(rune(r))
	}
	return classes
}()

func classify(r rune) class {
	if r < utf8.RuneSelf {
		return asciiClasses[r]
	}
	return unicodeClass(r)
}

func unicodeClass(r rune) class {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || unicode.Is(unicode.White_Space, r) && !unicode.IsControl(r):
		return space
	case r == utf8.RuneError || unicode.In(r, unicode.Mn, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		return ignored
	case punctuation(r) || ideograph(r):
		return single
	}
	return letter
}

// punctuation has, besides Unicode's, the ASCII symbols such as $ and +.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return unicode.IsPunct(r) || unicode.IsSymbol(r)
	}
	return unicode.IsPunct(r)
}

// ideograph tells the blocks of CJK ideographs; kana and hangul are written as
// words and are not among them.
func ideograph(r rune) bool { return unicode.Is(ideographs, r) }

var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4DBF, Stride: 1}, {Lo: 0x4E00, Hi: 0x9FFF, Stride: 1}, {Lo: 0xF900, Hi: 0xFAFF, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2A6DF, Stride: 1}, {Lo: 0x2A700, Hi: 0x2CEAF, Stride: 1}, {Lo: 0x2F800, Hi: 0x2FA1F, Stride: 1}},
}
