package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"holdfast/internal/search/analysis"
)

// exactForm is what two texts share that differ in composition, case and white
// space only (R0.34). NFC, not NFKC: «10²» and «102» are not the same.
func exactForm(text string) string {
	return norm.NFC.String(strings.Join(strings.Fields(folded(text)), " "))
}

func folded(text string) string {
	if isPlain(text) {
		return strings.ToLower(text)
	}
	return cases.Fold().String(norm.NFC.String(text))
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// forms are the three normal forms of a text, each looser than the one before.
type forms struct {
	exact string // but for case, composition and white space
	value string // and punctuation
	near  string // and what A0.1 leaves out
}

func formsOf(text string) forms {
	exact := exactForm(text)
	all := units(exact)
	return forms{exact: exact, value: valueForm(all), near: nearForm(plainly(units(withoutPoints(withoutLead(exact)))))}
}

// SameWords tells whether two texts have the same words in the sense of A0.1: of two
// memories in one place such texts merge when their cosine allows it.
func SameWords(one, two string) bool { return formsOf(one).near == formsOf(two).near }

// valueForm is the normal form of a rejected value (A0.5): its words and
// meaningful signs in order. Punctuation does not bring a value back.
func valueForm(units []string) string { return strings.Join(units, " ") }

// nearForm is the part of the duplicate key that comes from the text (A0.1):
// words in order, written in one way (plainly), stemmed, without articles, forms of "be", "of" and "that".
//
// A0.1 asks for equal multisets of stems, numbers, negation and proper nouns, and
// R0.65 for the order of names and for the prepositions of time and place. Names
// cannot be told from other words once case does not count, so the order of all
// words is kept, which holds all of that; and a stem stands for inflected forms
// only, not for derived words (organ, organization) or past tense (uses, used).
// Measured on STS-B with the static embedder at a cosine of .90, where 4.5 and
// above is the same: precision 1.00 (dev) and .98 (train) at recall .14 and .09.
// Without order it would be 1.00 and .98 at .16 and .10, but of two texts "the tug
// tows the barge" and "the barge tows the tug" one would be lost; order kept only
// where a text has names in capitals parts headlines from sentences (.15 and .07).
// The cosine keeps another .02 of the same words apart ("peels", "is peeling").
//
//	go run ./scripts/nearbench -data <folder with stsb-en>
func nearForm(units []string) string {
	kept := make([]string, 0, len(units))
	for _, unit := range units {
		if !unweighed[unit] {
			kept = append(kept, inflected(unit))
		}
	}
	if len(kept) == 0 {
		return valueForm(units)
	}
	return strings.Join(kept, " ")
}

var unweighed = wordSet("a an the is are was were be been being am of that")

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}

// units answers the words of a folded text and, between them, the signs that
// carry meaning; the text itself where there are none.
func units(exact string) []string {
	var out []string
	var previous rune
	start := 0
	for at := 0; at < len(exact); {
		r, size := utf8.DecodeRuneInString(exact[at:])
		at += size
		if isSign(previous, r, exact[at:]) {
			out = append(append(out, analysis.Words(exact[start:at-size])...), string(r))
			start = at
		}
		previous = r
	}
	out = append(out, analysis.Words(exact[start:])...)
	if len(out) == 0 {
		return []string{exact}
	}
	return out
}

// isSign tells a character that changes what is said: + in C++, %, €, an emoji,
// a question mark, the minus of a number. Punctuation is none, unless a digit
// follows that is no decimal of the number before.
func isSign(previous, r rune, rest string) bool {
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || unicode.IsSpace(r) {
		return false
	}
	if !strings.ContainsRune(punctuation, r) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsDigit(next) {
		return false
	}
	return r != '.' && r != ',' || !unicode.IsDigit(previous)
}

const punctuation = ".,;:!\"'`()[]{}-_*…–—‘’“”„«»¡¿。、，！：；「」"

// inflected is one form for the inflected forms of a word: its stem, unless an
// ending makes another word of it or sets it in the past. Number words are the
// numbers.
func inflected(word string) string {
	if digits, ok := numberWords[word]; ok {
		return digits
	}
	if len(word) > 3 && strings.HasSuffix(word, "ed") {
		return word
	}
	singular := withoutPlural(word)
	for _, ending := range derivations {
		if len(singular) >= len(ending)+3 && strings.HasSuffix(singular, ending) {
			return singular
		}
	}
	return analysis.Stem(word)
}

// derivations are endings that make another word, which a stemmer drops as well.
var derivations = strings.Fields(`al ly ity ment ness er or ive ful less ism ist able ible ous ic
	ance ence ancy ency ship hood dom ure age ery ary ory ate ation ition ize ise ify ine ian`)

func withoutPlural(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") &&
		!strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return word[:len(word)-1]
	}
	return word
}

var numberWords = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
	"seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}
