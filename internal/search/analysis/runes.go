package analysis

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// trait is what the analysis knows of a rune.
type trait struct {
	folded rune // without case
	inside bool // it is part of words
	dense  bool // of a script without spaces between words
	mark   bool // it belongs to the letter before it
	normal bool // NFKC leaves it as it is, whatever normal rune stands beside it
	stable bool // a word of such runes has no accent to lose (bare)
}

// tabled is where the runes end whose traits are looked up instead of computed, which takes
// twenty times as long: those of Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic.
const tabled = 0x700

// traits is filled when the first text needs it: a text of ASCII does not.
var traits = sync.OnceValue(func() *[tabled]trait {
	var table [tabled]trait
	for r := range rune(tabled) {
		table[r] = computed(r)
		table[r].normal = isNormal(r)
		table[r].stable = table[r].inside && !table[r].mark && bare(string(r)) == string(r)
	}
	return &table
})

func traitOf(r rune) trait {
	switch {
	case r < tabled:
		return traits()[r]
	case isPlainDense(r):
		return trait{folded: r, inside: true, dense: true, normal: true, stable: true}
	case isPlainSign(r):
		return trait{folded: r, normal: true}
	}
	return computed(r)
}

func computed(r rune) trait {
	t := trait{folded: uncased(r), mark: unicode.IsMark(r)}
	t.inside, t.dense = classify(r)
	return t
}

// isNormal tells runes that NFKC neither changes nor joins with the one before.
func isNormal(r rune) bool {
	text := string(r)
	return norm.NFKC.IsNormalString(text) && norm.NFKC.PropertiesString(text).BoundaryBefore()
}

// uncased makes the variants of a letter one, by upper case first and then lower: the
// final sigma, the long s, and the Turkish letters, of which İ and ı both become i, as I
// does.
func uncased(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// isPlainDense tells most of the letters of scripts without spaces, by their ranges.
func isPlainDense(r rune) bool {
	return isPlainIdeograph(r) ||
		0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fa // Hiragana and Katakana
}

// isPlainSign tells the dashes, quotation marks and bullets of most texts, and the point
// and comma of Chinese and Japanese.
func isPlainSign(r rune) bool {
	return 0x2012 <= r && r <= 0x2016 || 0x2018 <= r && r <= 0x2023 || 0x3001 <= r && r <= 0x3003
}

// isPlainIdeograph tells the unified ideographs and the syllables of Hangul.
func isPlainIdeograph(r rune) bool {
	return 0x4e00 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3
}

func isIdeograph(run string) bool {
	r, _ := utf8.DecodeRuneInString(run)
	return isPlainIdeograph(r) || unicode.In(r, unicode.Han, unicode.Hangul)
}

// classify tells whether a rune is part of words, and whether of a script
// without spaces.
func classify(r rune) (inside, dense bool) {
	if r < utf8.RuneSelf {
		return isLower(byte(r)) || isDigit(byte(r)), false
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
		return false, false
	}
	return true, isDense(r)
}

// firstDense is the first rune of the scripts in isDense, of which Thai is first.
const firstDense = 0x0e00

// prolongedSound is of Katakana, though Unicode counts it as common.
const prolongedSound = '\u30fc'

// isDense tells scripts in which a word cannot be found by spaces. Korean has
// spaces, but particles cling to its words.
func isDense(r rune) bool {
	return r >= firstDense && (r == prolongedSound || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}
