package store

import (
	"bytes"
	"strconv"
)

// ValueType is the type of an attribute.
type ValueType byte

// The attribute types.
const (
	Text   ValueType = 'S'
	Number ValueType = 'N'
	Bytes  ValueType = 'B'
	Bool   ValueType = 'T'
)

// Value is an attribute's value; the zero Value is no value. For Text and Number
// S holds the text; for Bytes B; for Bool On.
type Value struct {
	Type ValueType
	On   bool
	S    string
	B    []byte
}

// Attrs are an item's attributes by name.
type Attrs map[string]Value

// S makes a text value.
func S(text string) Value { return Value{Type: Text, S: text} }

// N makes a number from a whole number.
func N(n int64) Value { return Value{Type: Number, S: strconv.FormatInt(n, 10)} }

// Decimal makes a number from its decimal text (at most 38 significant digits).
func Decimal(text string) Value { return Value{Type: Number, S: text} }

// B makes a bytes value.
func B(b []byte) Value { return Value{Type: Bytes, B: b} }

// T makes a bool value.
func T(on bool) Value { return Value{Type: Bool, On: on} }

// Int answers a number attribute as a whole number; 0 when absent or no whole
// number.
func (a Attrs) Int(name string) int64 {
	if a[name].Type != Number {
		return 0
	}
	n, _ := wholeNumber(a[name].S)
	return n
}

// Text answers a text attribute; empty when absent.
func (a Attrs) Text(name string) string {
	if a[name].Type != Text {
		return ""
	}
	return a[name].S
}

// Bytes answers a bytes attribute; nil when absent.
func (a Attrs) Bytes(name string) []byte {
	if a[name].Type != Bytes {
		return nil
	}
	return a[name].B
}

// Bool answers a bool attribute; false when absent.
func (a Attrs) Bool(name string) bool { return a[name].Type == Bool && a[name].On }

// Equal compares type and value; numbers by their normal form.
func (v Value) Equal(w Value) bool {
	if v.Type != w.Type {
		return false
	}
	switch v.Type {
	case Bytes:
		return bytes.Equal(v.B, w.B)
	case Bool:
		return v.On == w.On
	case Number:
		return v.S == w.S || normalNumber(v.S) == normalNumber(w.S)
	}
	return v.S == w.S
}
