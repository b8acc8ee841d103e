package words

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxWords is how many distinct words of a query count: the first.
const MaxWords = 512

// MaxLetters is how many code points of a word count: words that begin with the same
// so many are one.
const MaxLetters = 128

// Split answers the words of a text in order, repeated as often as they stand there:
// the runs of letters and digits of any script with the marks on them, composed (NFC)
// and without letter case (R3.15). I, İ and ı become i; other letters with signs stay
// apart from those without. No word form is reduced.
func Split(text string) []string {
	out := make([]string, 0, len(text)/6+1)
	start := -1
	folded := fold(text)
	for i, r := range folded {
		switch inside := unicode.IsLetter(r) || unicode.IsDigit(r); {
		case inside && start < 0:
			start = i
		case !inside && start >= 0 && !unicode.IsMark(r):
			out = append(out, short(folded[start:i]))
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, short(folded[start:]))
	}
	return out
}

// Terms answers the distinct words of a query in order, at most MaxWords.
func Terms(query string) []string {
	words := Distinct(Split(query))
	return words[:min(len(words), MaxWords)]
}

// Distinct drops repeated words and keeps the order.
func Distinct(words []string) []string {
	seen := make(map[string]bool, len(words))
	return slices.DeleteFunc(words, func(w string) bool {
		again := seen[w]
		seen[w] = true
		return again
	})
}

// fold takes letter case out of a text in NFC. Upper case first and then lower makes
// the variants of a letter one: the final sigma, the long s, and the Turkish letters,
// of which İ and ı become i, as I does.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	var before rune
	for _, r := range norm.NFC.String(text) {
		lower := unicode.ToLower(unicode.ToUpper(r))
		if lower == dotAbove && before == 'i' {
			continue // how other programs write the lower case of İ
		}
		b.WriteRune(lower)
		before = lower
	}
	return norm.NFC.String(b.String())
}

// dotAbove is the dot of i as a sign of its own.
const dotAbove = '\u0307'

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// short is a word's first MaxLetters code points.
func short(word string) string {
	if len(word) <= MaxLetters {
		return word
	}
	n := 0
	for i := range word {
		if n == MaxLetters {
			return word[:i]
		}
		n++
	}
	return word
}
