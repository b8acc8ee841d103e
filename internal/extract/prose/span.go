package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a piece of a text in bytes, end exclusive.
type Span struct{ Start, End int }

// Of answers the piece.
func (s Span) Of(text string) string { return text[s.Start:s.End] }

// trim leaves out the space at both ends.
func (s Span) trim(text string) Span {
	piece := s.Of(text)
	s.Start += len(piece) - len(strings.TrimLeftFunc(piece, unicode.IsSpace))
	s.End = s.Start + len(strings.TrimSpace(piece))
	return s
}

// Words answers where the words of a text stand: runs of letters, marks and digits,
// with the apostrophes and hyphens between letters and the points, commas and colons
// between digits.
func Words(text string) []Span {
	out := make([]Span, 0, len(text)/6+1)
	start := -1
	for i, r := range text {
		switch {
		case isWordRune(r):
			if start < 0 {
				start = i
			}
		case start >= 0 && !joins(text, i, r):
			out, start = append(out, Span{start, i}), -1
		}
	}
	if start >= 0 {
		out = append(out, Span{start, len(text)})
	}
	return out
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}

// joins tells whether the sign r at i is inside a word.
func joins(text string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+width(text, i, r):])
	switch r {
	case '\'', '’', '-':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '.', ',', ':':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}

// width is how many bytes the code point r at i takes; a broken one takes one.
func width(text string, i int, r rune) int {
	if r == utf8.RuneError {
		_, n := utf8.DecodeRuneInString(text[i:])
		return n
	}
	return utf8.RuneLen(r)
}

// lower answers the words in small letters with straight apostrophes.
func lower(text string, words []Span) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ReplaceAll(strings.ToLower(w.Of(text)), "’", "'")
	}
	return out
}

// Lower answers the words of a text in small letters with straight apostrophes.
func Lower(text string) []string { return lower(text, Words(text)) }

// WordRunes counts the letters and digits.
func WordRunes(text string) int {
	n := 0
	for _, r := range text {
		if isWordRune(r) {
			n++
		}
	}
	return n
}

func at(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i]
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}
