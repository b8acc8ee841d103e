package analysis

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is a piece of folded text.
type word struct {
	text  string
	dense bool // of a script without spaces between words
}

// scan calls yield with each word of the text, folded, in order.
func scan(text string, yield func(word)) {
	if isASCII(text) {
		scanASCII(strings.ToLower(text), yield)
		return
	}
	scanRunes(foldRunes(text), yield)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanASCII is scan for lower-case ASCII; the words are parts of text.
func scanASCII(text string, yield func(word)) {
	for i := 0; i < len(text); {
		if !isLower(text[i]) && !isDigit(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && (isLower(text[end]) || isDigit(text[end]) || joins(text, end)) {
			end++
		}
		yield(word{text: finish(text[i:end])})
		i = end
	}
}

// joins tells whether the ASCII sign at i is inside a word: an apostrophe
// between letters (don't) or a point or comma between digits (3.5), as in
// Unicode's rules for word boundaries (UAX 29, MidNumLet and MidNum).
func joins(text string, i int) bool {
	if i == 0 || i+1 >= len(text) {
		return false
	}
	before, after := text[i-1], text[i+1]
	switch text[i] {
	case '\'':
		return !isDigit(before) && (isLower(after) || after >= utf8.RuneSelf)
	case '.', ',':
		return isDigit(before) && isDigit(after)
	}
	return false
}

// finish drops a trailing 's and the commas that group digits.
func finish(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'"), "'s")
	if strings.IndexByte(w, ',') >= 0 {
		w = strings.ReplaceAll(w, ",", "")
	}
	return w
}

// foldRunes folds text that is not ASCII: NFKC, apostrophes straight, without case.
func foldRunes(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range normalized(text) {
		switch r {
		case '’', '‘', 'ʼ', '‛', '′':
			b.WriteByte('\'')
		case 'ß', 'ẞ':
			b.WriteString("ss")
		case softHyphen, zeroWidthNonJoiner, zeroWidthJoiner:
			// inside words and invisible
		default:
			b.WriteRune(traitOf(r).folded)
		}
	}
	return b.String()
}

// normalized is a text in NFKC. Most are, and telling it by their runes takes a third of
// the time that norm does.
func normalized(text string) string {
	for _, r := range text {
		if r >= utf8.RuneSelf && !traitOf(r).normal {
			return norm.NFKC.String(text)
		}
	}
	return text
}

const (
	softHyphen         = '\u00ad'
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// scanRunes is scan for folded text of any script.
func scanRunes(text string, yield func(word)) {
	start, dense := -1, false
	flush := func(end int) {
		if start >= 0 {
			yield(word{text: finish(text[start:end]), dense: dense})
		}
		start = -1
	}
	for i, r := range text {
		switch t := traitOf(r); {
		case !t.inside:
			if start < 0 || r >= utf8.RuneSelf || !joins(text, i) {
				flush(i)
			}
		case start >= 0 && t.mark:
			// goes with the letter before it
		case t.mark:
			// a mark without a letter is no word
		case start < 0 || t.dense != dense:
			flush(i)
			start, dense = i, t.dense
		}
	}
	flush(len(text))
}
