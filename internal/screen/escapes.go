package screen

import (
	"html"
	"strings"
	"unicode/utf8"
)

// openEscapes reads the text with its escapes resolved, be it one or all of its
// characters: percent signs (RFC 3986), quoted-printable (RFC 2045), the escapes of
// program texts and the references of HTML. Characters that only cannot be seen do
// not count here: pages and addresses write them out for their layout.
func (p *page) openEscapes() {
	if !strings.ContainsAny(p.text, "%=\\&") {
		return
	}
	plain := html.UnescapeString(resolve(p.text))
	if plain != p.text {
		p.revealNew(0, len(p.text), strings.ToValidUTF8(plain, ""), "hidden_characters")
	}
}

// resolve replaces what is an escape and leaves the rest as it is.
func resolve(text string) string {
	var b strings.Builder
	done := 0
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], "%=\\")
		if next < 0 {
			break
		}
		at += next
		c, size := escape(text[at:])
		if size == 0 {
			at++
			continue
		}
		b.WriteString(text[done:at])
		b.WriteString(c)
		at += size
		done = at
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// escape answers what the escape at the start of the text stands for, and its
// length, 0 for none.
func escape(text string) (string, int) {
	if len(text) < 2 {
		return "", 0
	}
	if text[0] != '\\' {
		return oneByte(text, 1)
	}
	switch text[1] {
	case 'n', 'r':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'x':
		return oneByte(text, 2)
	case 'u':
		if strings.HasPrefix(text[2:], "{") {
			return oneRune(text, 3, strings.IndexByte(text[3:min(len(text), 10)], '}'), 1)
		}
		return oneRune(text, 2, 4, 0)
	case 'U':
		return oneRune(text, 2, 8, 0)
	}
	return "", 0
}

const hexDigits = "0123456789abcdefABCDEF"

// oneByte reads two hexadecimal digits at from.
func oneByte(text string, from int) (string, int) {
	n, ok := hexNumber(text, from, 2)
	if !ok {
		return "", 0
	}
	return string([]byte{byte(n)}), from + 2
}

// oneRune reads the digits at from, and answers how long they are with what stands
// before them and the tail behind.
func oneRune(text string, from, digits, tail int) (string, int) {
	n, ok := hexNumber(text, from, digits)
	if !ok || n > utf8.MaxRune || len(text) < from+digits+tail {
		return "", 0
	}
	return string(n), from + digits + tail
}

// hexNumber reads that many digits.
func hexNumber(text string, from, digits int) (rune, bool) {
	if digits < 1 || len(text) < from+digits {
		return 0, false
	}
	n := int64(0)
	for _, c := range []byte(text[from : from+digits]) {
		d := strings.IndexByte(hexDigits, c)
		if d < 0 {
			return 0, false
		}
		if d > 15 {
			d -= 6
		}
		n = n<<4 | int64(d)
	}
	return rune(min(n, utf8.MaxRune+1)), true
}
