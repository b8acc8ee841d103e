package ownjson

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescaped reads the rest of a string that began at start and has an escape where the
// reader stands.
func (r *Reader) unescaped(start int) string {
	var out strings.Builder
	out.Grow(r.at - start + 64)
	out.WriteString(r.text[start:r.at])
	for r.at < len(r.text) && !r.failed {
		switch b := r.text[r.at]; {
		case b == '"':
			r.at++
			return out.String()
		case b == '\\':
			r.at++
			r.escape(&out)
		case b < ' ':
			r.failed = true
		default:
			plain := r.plain()
			out.WriteString(r.text[r.at : r.at+plain])
			r.at += plain
		}
	}
	r.failed = true
	return ""
}

// plain is how many bytes go on that need no look.
func (r *Reader) plain() int {
	for i := r.at; i < len(r.text); i++ {
		if b := r.text[i]; b == '"' || b == '\\' || b < ' ' {
			return i - r.at
		}
	}
	return len(r.text) - r.at
}

// short are the escapes of one letter, and what they stand for.
const short, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escape reads what follows a backslash.
func (r *Reader) escape(out *strings.Builder) {
	if r.at >= len(r.text) {
		r.failed = true
		return
	}
	b := r.text[r.at]
	r.at++
	if i := strings.IndexByte(short, b); i >= 0 {
		out.WriteByte(meant[i])
		return
	}
	if b != 'u' {
		r.failed = true
		return
	}
	char := r.hex()
	if utf16.IsSurrogate(char) {
		if !r.word(`\u`) {
			r.failed = true
			return
		}
		char = utf16.DecodeRune(char, r.hex())
	}
	if char == utf8.RuneError { // half a pair; the sign itself is written without an escape
		r.failed = true
	}
	out.WriteRune(char)
}

// hex reads four digits.
func (r *Reader) hex() (char rune) {
	if len(r.text)-r.at < 4 {
		r.failed = true
		return 0
	}
	for _, b := range []byte(r.text[r.at : r.at+4]) {
		digit := strings.IndexByte("0123456789abcdef", b|0x20)
		if digit < 0 || b < '0' {
			r.failed = true
			return 0
		}
		char = char<<4 | rune(digit)
	}
	r.at += 4
	return char
}
