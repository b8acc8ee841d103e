package ownjson

import (
	"encoding/base64"
	"iter"
	"strconv"
	"time"
	"unicode/utf8"
)

// Reader goes through one JSON text from left to right. Once it meets what it does not
// expect it has failed, and answers zero values from then on.
type Reader struct {
	text   string
	at     int
	failed bool
}

// New makes a reader of a text, whose bytes live as long as what is read.
func New(text string) *Reader { return &Reader{text: text} }

// Whole tells that all was read as expected, and nothing is left.
func (r *Reader) Whole() bool { return !r.failed && r.at == len(r.text) }

// Fail gives up: the caller met a member that it does not know.
func (r *Reader) Fail() { r.failed = true }

// Members goes through the names of an object's members. The value of each has to be
// read before the next.
func (r *Reader) Members() iter.Seq[string] {
	return func(yield func(string) bool) {
		r.expect('{')
		if r.take('}') {
			return
		}
		for !r.failed {
			name := r.Text()
			r.expect(':')
			if r.failed || !yield(name) {
				return
			}
			if r.take('}') {
				return
			}
			r.expect(',')
		}
	}
}

// take passes a byte where it is the next.
func (r *Reader) take(b byte) bool {
	if r.failed || r.at >= len(r.text) || r.text[r.at] != b {
		return false
	}
	r.at++
	return true
}

func (r *Reader) expect(b byte) {
	if !r.take(b) {
		r.failed = true
	}
}

// word passes a word where it is the next.
func (r *Reader) word(w string) bool {
	if r.failed || len(r.text)-r.at < len(w) || r.text[r.at:r.at+len(w)] != w {
		return false
	}
	r.at += len(w)
	return true
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if r.word("true") {
		return true
	}
	if !r.word("false") {
		r.failed = true
	}
	return false
}

// Int reads a whole number.
func (r *Reader) Int() int64 {
	start := r.at
	r.take('-')
	r.digits()
	return parsed(r, start, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
}

// Float reads a number.
func (r *Reader) Float() float64 {
	start := r.at
	r.take('-')
	r.digits()
	if r.take('.') {
		r.anyDigits()
	}
	if r.take('e') || r.take('E') {
		_ = r.take('+') || r.take('-')
		r.anyDigits()
	}
	return parsed(r, start, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

// digits passes a whole number without needless zeros.
func (r *Reader) digits() {
	if !r.take('0') {
		r.anyDigits()
	}
}

func (r *Reader) anyDigits() {
	start := r.at
	for r.at < len(r.text) && r.text[r.at]-'0' <= 9 {
		r.at++
	}
	if r.at == start {
		r.failed = true
	}
}

func parsed[T any](r *Reader, start int, parse func(string) (T, error)) T {
	var none T
	if r.failed {
		return none
	}
	value, err := parse(r.text[start:r.at])
	if err != nil {
		r.failed = true
		return none
	}
	return value
}

// Time reads an instant as time.Time is written.
func (r *Reader) Time() (at time.Time) {
	start := r.at
	text := r.Text()
	if escaped := r.at-start != len(`""`)+len(text); escaped || at.UnmarshalText([]byte(text)) != nil {
		r.failed = true
		return time.Time{}
	}
	return at
}

// Bytes reads bytes, which are written as base64.
func (r *Reader) Bytes() []byte {
	text := r.Text()
	if r.failed {
		return nil
	}
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		r.failed = true
		return nil
	}
	return out
}

// Text reads a string. Without escapes it is a part of the text that is read.
func (r *Reader) Text() string {
	r.expect('"')
	if r.failed {
		return ""
	}
	start, ascii := r.at, true
	for ; r.at < len(r.text); r.at++ {
		switch kindOf[r.text[r.at]] {
		case ordinary:
		case quote:
			r.at++
			return r.valid(r.text[start:r.at-1], ascii)
		case backslash:
			return r.valid(r.unescaped(start), false)
		case control:
			r.failed = true
			return ""
		case beyond:
			ascii = false
		}
	}
	r.failed = true
	return ""
}

// Kinds of bytes in a string.
const (
	ordinary byte = iota
	quote
	backslash
	control
	beyond // ASCII
)

// kindOf is the kind of each byte.
var kindOf = func() (kinds [256]byte) {
	for b := range kinds {
		switch {
		case b == '"':
			kinds[b] = quote
		case b == '\\':
			kinds[b] = backslash
		case b < ' ':
			kinds[b] = control
		case b >= utf8.RuneSelf:
			kinds[b] = beyond
		}
	}
	return kinds
}()

// valid answers a text that is UTF-8.
func (r *Reader) valid(text string, ascii bool) string {
	if r.failed || !ascii && !utf8.ValidString(text) {
		r.failed = true
		return ""
	}
	return text
}
