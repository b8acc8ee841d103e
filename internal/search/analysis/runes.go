package analysis

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// trait is what the analysis knows of a rune.
type trait struct {
	folded rune   // without case
	bare   string // without accents (bare); of what is inside of words and no mark
	inside bool   // it is part of words
	dense  bool   // of a script without spaces between words
	ideo   bool   // it may be a word alone
	mark   bool   // it belongs to the letter before it
	loses  bool   // marks behind it are dropped
	normal bool   // NFKC leaves it as it is, whatever normal rune stands beside it
}

// tabled is where the runes end whose traits are kept once they are known: those of the
// living scripts, and emoji. Computing them takes fifty times as long.
const tabled = 0x20000

// page is the traits of runes that begin alike. All of them take 6 MB.
type page [256]trait

var pages [tabled / len(page{})]atomic.Pointer[page]

func traitOf(r rune) *trait {
	if r < 0 || r >= tabled {
		t := computed(r)
		return &t
	}
	at := &pages[r>>8]
	known := at.Load()
	if known == nil {
		known = new(page)
		for i := range known {
			known[i] = computed(r&^0xff + rune(i))
		}
		at.Store(known)
	}
	return &known[r&0xff]
}

func computed(r rune) trait {
	t := trait{
		folded: uncased(r), mark: unicode.IsMark(r), ideo: unicode.In(r, unicode.Han, unicode.Hangul), normal: isNormal(r),
		loses: unicode.In(r, unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew, unicode.Cyrillic),
	}
	t.inside, t.dense = classify(r)
	if t.inside && !t.mark {
		t.bare = bare(string(r))
	}
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

func isIdeograph(run string) bool {
	r, _ := utf8.DecodeRuneInString(run)
	return traitOf(r).ideo
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
