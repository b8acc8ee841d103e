package httpapi

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// literal text between quotes, as the source spells it.
type literal struct {
	src    []byte
	escape int    // bytes that escapes take beyond one code point each
	fault  string // what is wrong with its code points; empty: nothing
}

const (
	sayNUL       = "must not hold a NUL character"
	saySurrogate = "must not hold half a surrogate pair"
)

// bytes is the text that the literal stands for.
func (l literal) bytes() []byte {
	if l.escape == 0 {
		return l.src
	}
	return []byte(l.text())
}

func (l literal) text() string {
	if l.escape == 0 {
		return string(l.src)
	}
	var text string
	if err := json.Unmarshal(slices.Concat([]byte{'"'}, l.src, []byte{'"'}), &text); err != nil {
		return ""
	}
	return text
}

// length counts code points.
func (l literal) length() int { return utf8.RuneCount(l.src) - l.escape }

// quoted reads a text from its first quote to behind its last one.
func (w *walker) quoted() literal {
	w.pos++
	start := w.pos
	var lit literal
	for w.pos < len(w.src) {
		switch c := w.src[w.pos]; {
		case c == '"':
			lit.src = w.src[start:w.pos]
			w.pos++
			return lit
		case c == '\\':
			w.escape(&lit)
		case c < 0x20:
			w.fail()
			return literal{}
		default:
			w.pos++
		}
	}
	w.fail()
	return literal{}
}

// escape reads \x or \uXXXX, with the second half of a surrogate pair.
func (w *walker) escape(lit *literal) {
	if w.pos+1 >= len(w.src) {
		w.fail()
		return
	}
	switch w.src[w.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		w.pos += 2
		lit.escape++
		return
	case 'u':
	default:
		w.fail()
		return
	}
	r, ok := w.hex4(w.pos + 2)
	if !ok {
		w.fail()
		return
	}
	w.pos += 6
	lit.escape += 5
	switch {
	case r == 0:
		lit.fault = sayNUL
	case r >= 0xdc00 && r <= 0xdfff:
		lit.fault = saySurrogate
	case r >= 0xd800 && r <= 0xdbff:
		w.secondHalf(lit)
	}
}

func (w *walker) secondHalf(lit *literal) {
	if w.pos+1 < len(w.src) && w.src[w.pos] == '\\' && w.src[w.pos+1] == 'u' {
		if r, ok := w.hex4(w.pos + 2); ok && r >= 0xdc00 && r <= 0xdfff {
			w.pos += 6
			lit.escape += 6
			return
		}
	}
	lit.fault = saySurrogate
}

func (w *walker) hex4(at int) (rune, bool) {
	if at+4 > len(w.src) {
		return 0, false
	}
	var r rune
	for _, c := range w.src[at : at+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// text reads a text and holds it against the rule.
func (w *walker) text(r *rule) {
	lit := w.quoted()
	switch {
	case lit.fault != "":
		w.fault(lit.fault)
	case r.kind != textKind:
		if r.kind > rawKind {
			w.fault(r.say.typ)
		}
	default:
		w.textRules(r, lit)
	}
}

func (w *walker) textRules(r *rule, lit literal) {
	if r.minLen != unbounded || r.maxLen != unbounded {
		w.sized(r, lit.length())
	}
	if r.texts != nil && !r.texts[string(lit.bytes())] {
		w.fault(r.say.enum)
	}
	if r.pattern != nil && !r.pattern.Match(lit.bytes()) {
		w.fault(r.say.pattern)
	}
	if r.format != nil && !r.format(lit.text()) {
		w.fault(r.say.format)
	}
	if r.scope && !w.out.hasScope {
		w.out.scope, w.out.hasScope = lit.text(), true
	}
}
