package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// find answers where a text stands in the entry, up to case and white space, in code
// points. A piece does not begin or end inside a word.
func (s *source) find(text string) (start, end int, ok bool) {
	piece := foldText(text)
	if piece == "" {
		return 0, 0, false
	}
	for from := 0; ; {
		i := strings.Index(s.folded[from:], piece)
		if i < 0 {
			return 0, 0, false
		}
		i += from
		if j := i + len(piece); atBorder(s.folded, i) && atBorder(s.folded, j) {
			first := utf8.RuneCountInString(s.folded[:i])
			last := first + utf8.RuneCountInString(piece) - 1
			return s.at[first], s.at[last] + 1, true
		}
		_, size := utf8.DecodeRuneInString(s.folded[i:])
		from = i + size
	}
}

func foldText(text string) string {
	return strings.Join(strings.Fields(strings.Map(unicode.ToLower, text)), " ")
}

// atBorder tells whether a place is not inside a word. Scripts without spaces have
// borders everywhere.
func atBorder(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return !inWord(before) || !inWord(after)
}

func inWord(r rune) bool {
	if r == utf8.RuneError || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}
