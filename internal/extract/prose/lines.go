package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestWrapped is how long a sentence of wrapped lines grows before a line that does
// not go on in small letters begins another, in bytes.
const longestWrapped = 400

// units parts a text at line ends that end a sentence.
func units(text string) []Span {
	var out []Span
	start := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' && !goesOn(text[start:i], text[i+1:]) {
			out, start = append(out, Span{start, i}), i+1
		}
	}
	return append(out, Span{start, len(text)})
}

// goesOn tells whether a line that was wrapped goes on in the next one. It does not at
// an empty line, behind a stop or a colon, nor before or behind what is a line of its
// own.
func goesOn(unit, next string) bool {
	line := strings.TrimSpace(unit[strings.LastIndexByte(unit, '\n')+1:])
	next, _, _ = strings.Cut(next, "\n")
	next = strings.TrimSpace(next)
	if line == "" || next == "" || ended(line) || ownLine(line) || ownLine(next) || itemStart(next) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(next)
	return unicode.IsLower(r) || len(unit) <= longestWrapped && !labelled(next) && !labelled(line)
}

// ended tells whether a line ends with a sign that ends a sentence or leads to a list.
func ended(line string) bool {
	line = strings.TrimRight(line, "\"'”’)]»」』）")
	r, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune(".!?:;…。！？：；؟।", r)
}

// ownLine tells lines that are no part of a sentence: fences, headings, rows of tables,
// lines of signs, of mark-up alone, of data and of logs.
func ownLine(line string) bool {
	if strings.Contains(line, "```") || strings.ContainsAny(line[:1], "#|{}[>") || WordRunes(line) == 0 {
		return true
	}
	if days := Days(line); len(days) > 0 && days[0].Start == 0 {
		return true
	}
	return line[0] == '<' && strings.HasSuffix(line, ">") && strings.Count(line, "<") == 1
}

// itemStart tells whether a line begins as an item of a list does.
func itemStart(line string) bool {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits > 0 {
		rest := line[digits:]
		return digits < 3 && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
	}
	for _, bullet := range []string{"- ", "* ", "+ ", "• ", "– ", "— "} {
		if strings.HasPrefix(line, bullet) {
			return true
		}
	}
	return len(line) > 2 && line[1] == ')' && line[2] == ' '
}

// labelled tells lines of the form "Budget: 40,000 euros".
func labelled(line string) bool {
	head, _, ok := strings.Cut(line, ": ")
	return ok && len(Words(head)) <= 4
}
