package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences answers the sentences of a text in order, without the space around them.
// A line end is white space, except where lines part (see units). A stop ends a
// sentence before a space, but not after an abbreviation, an initial or an ordinal, nor
// inside quotes that are closed near by.
func Sentences(text string) []Span {
	var out []Span
	for _, unit := range units(text) {
		out = appendSentences(out, text, unit)
	}
	return out
}

func appendSentences(out []Span, text string, unit Span) []Span {
	start := unit.Start
	for at := unit.Start; at < unit.End; {
		next, ends := step(text, unit, start, at)
		if ends {
			out = appendSpan(out, text, Span{start, next})
			start = next
		}
		at = next
	}
	return appendSpan(out, text, Span{start, unit.End})
}

// appendSpan appends a piece that has letters or digits.
func appendSpan(out []Span, text string, s Span) []Span {
	if s = s.trim(text); WordRunes(s.Of(text)) > 0 {
		return append(out, s)
	}
	return out
}

// step reads on from at: past one code point, past a quotation or past the signs that
// end a sentence. It tells whether the sentence that began at start ends there.
func step(text string, unit Span, start, at int) (next int, ends bool) {
	rest := text[at:unit.End]
	r, size := utf8.DecodeRuneInString(rest)
	switch r {
	case '"', '“', '„', '«':
		if n := quotation(rest); n > 0 {
			return at + n, quoteEnds(rest[:n], rest[n:])
		}
	case '。', '！', '？':
		return at + size + closing(rest[size:]), true
	case '.', '!', '?', '…', '؟', '।':
		n := marks(rest)
		end := n + closing(rest[n:])
		return at + end, stops(text[start:at], rest[:n], rest[n:end], rest[end:])
	}
	return at + size, false
}

// longestQuotation is how far a closing quote is looked for, in bytes.
const longestQuotation = 400

// quotation is the length of the quotation at the start of the text, with its quotes;
// 0: it is not closed near by.
func quotation(rest string) int {
	open, size := utf8.DecodeRuneInString(rest)
	ends := "\""
	switch open {
	case '“':
		ends = "”"
	case '„':
		ends = "“”"
	case '«':
		ends = "»"
	}
	near := rest[size:min(len(rest), size+longestQuotation)]
	i := strings.IndexAny(near, ends)
	if i < 0 {
		return 0
	}
	_, last := utf8.DecodeRuneInString(near[i:])
	return size + i + last
}

// quoteEnds tells whether a quotation ends its sentence: it ends with a stop, and
// what follows begins a new sentence.
func quoteEnds(quoted, rest string) bool {
	inner := strings.TrimRight(quoted, "\"”“»")
	return inner != "" && strings.ContainsAny(inner[len(inner)-1:], ".!?") && startsNew(rest)
}

// marks is the length of the row of stops at the start.
func marks(rest string) int {
	return len(rest) - len(strings.TrimLeft(rest, ".!?…؟।"))
}

// closing is the length of the closing quotes and brackets at the start.
func closing(rest string) int {
	return len(rest) - len(strings.TrimLeft(rest, "\"'”’)]»」』）"))
}

// startsNew tells whether what follows a stop can begin a sentence: nothing, or a
// space and no small letter.
func startsNew(rest string) bool {
	after := strings.TrimLeftFunc(rest, unicode.IsSpace)
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || len(after) < len(rest) && !unicode.IsLower(r)
}

// stops tells whether a row of marks ends the sentence before it.
func stops(before, row, closed, rest string) bool {
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && !unicode.IsSpace(r) {
		return false
	}
	if row == "." {
		return !abbreviated(before, rest)
	}
	if closed != "" || strings.HasPrefix(row, "..") || strings.HasPrefix(row, "…") {
		return startsNew(rest)
	}
	return true
}

// IsQuestion tells whether a sentence asks.
func IsQuestion(sentence string) bool {
	end := strings.TrimRight(sentence, " \t\"'”’)]»")
	return strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") || strings.HasSuffix(end, "؟") || strings.HasSuffix(end, "?!")
}
