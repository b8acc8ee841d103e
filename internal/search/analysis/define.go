package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Definition is what a text says a thing to be: "the port of the relay is 25", "the
// relay's port changed from 25 to 26". The zero Definition is of texts that say no such
// thing.
type Definition struct {
	of, is string   // the texts of the thing and of its value
	words  []string // content tokens of the thing, in order
	thing  []string // distinct ones of them, sorted
	value  []string
	in     []string // content tokens behind "in" or "for" in it: "25 in Bonn"
	kind   valueKind
	bound  bool   // the thing belongs to another: "the port of the relay", "the relay's port"
	one    bool   // one of several: "a port of the relay"
	single bool   // what is defined is one thing, by its verb
	form   string // word that says in which way, and relates it to the thing: "owned" of "owned by Ada"
}

// valueKind tells values apart that can hardly replace each other.
type valueKind int

const (
	otherValue valueKind = iota
	numberValue
	nameValue // begins with a capital letter
)

// verbs part a thing from its value; the first that stands in a text does.
var verbs = []string{" is now ", " are now ", " is ", " are ", " was changed to ", " changed to ", " changed from "}

// Defined reads what a text defines. English only.
func Defined(text string) Definition {
	text = WithoutSince(text)
	at, verb := -1, ""
	for _, v := range verbs {
		if i := strings.Index(text, v); i > 0 && (at < 0 || i < at || i == at && len(v) > len(verb)) {
			at, verb = i, v
		}
	}
	if at < 0 {
		return Definition{}
	}
	d := define(text[:at], text[at+len(verb):])
	d.single = strings.HasPrefix(verb, " is ")
	return d
}

func define(thing, value string) Definition {
	d := Definition{of: thing, is: value, value: Tokens(value), kind: kindOf(value), one: IsOne(thing)}
	d.words = slices.DeleteFunc(Tokens(thing), IsChangeTerm)
	d.thing = slices.Clone(d.words)
	slices.Sort(d.thing)
	d.thing = slices.Compact(d.thing)
	if d.kind == otherValue {
		d.form = formOf(value)
	} else {
		d.in = within(value)
	}
	d.bound = slices.ContainsFunc(binding, func(sign string) bool { return strings.Contains(thing, sign) })
	return d
}

// binding signs tell of a thing that belongs to another.
var binding = []string{" of ", "'s ", "s' ", "\u2019s "}

// relating words stand between what is said and to what it relates.
var relating = set("at by for from in of on to with")

var severalOf = set("a an one another")

// IsOne tells a text that begins with one of several things.
func IsOne(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return severalOf[strings.ToLower(first)]
}

// within answers the content tokens behind "in" or "for" in a value of other words.
func within(value string) []string {
	for _, word := range []string{" in ", " for "} {
		if _, rest, ok := strings.Cut(value, word); ok {
			return Tokens(rest)
		}
	}
	return nil
}

// formOf tells values apart that say something of a thing in different ways, which do
// not replace each other: "written in Elm" and "hosted in Bonn", "on Friday" and "public".
func formOf(value string) string {
	first, rest, _ := strings.Cut(value, " ")
	second, _, _ := strings.Cut(rest, " ")
	switch {
	case rest == "":
		return "" // "on"
	case relating[first], places[first]:
		return first
	case relating[second]:
		return first
	}
	return ""
}

func kindOf(value string) valueKind {
	for _, article := range []string{"a ", "an ", "the "} {
		value = strings.TrimPrefix(value, article)
	}
	switch r, _ := utf8.DecodeRuneInString(value); {
	case unicode.IsDigit(r):
		return numberValue
	case unicode.IsUpper(r):
		return nameValue
	}
	return otherValue
}

// Thing answers the content tokens of what is defined, sorted; none where nothing is.
func (d Definition) Thing() []string { return d.thing }

// OfName tells a definition of somebody, by the name alone.
func (d Definition) OfName() bool {
	for field := range strings.FieldsSeq(d.of) {
		if first, _ := utf8.DecodeRuneInString(field); !unicode.IsUpper(first) || isStop(strings.ToLower(field)) {
			return false
		}
	}
	return d.of != ""
}

// Single tells a definition of one thing, by its verb: what a thing is, not what things are.
func (d Definition) Single() bool { return d.single }

// IsQuality tells a definition that says of one what it is like or is as well, not which value
// something of it has: Ana is tall.
func (d Definition) IsQuality() bool {
	return len(d.thing) == 1 && !d.bound && d.kind == otherValue && d.form == ""
}

// Most of the words by which one of two definitions of the same thing may tell more
// about it, such as since when.
const moreWords = 3

// Same tells definitions of one thing, which has words for itself and for what of it
// is meant, by different values of one kind.
func (d Definition) Same(older Definition) bool {
	if len(older.thing) < 2 || !older.bound || d.one || d.Otherwise(older) || len(d.thing) > len(older.thing)+moreWords {
		return false
	}
	if d.kind != older.kind || d.form != older.form || slices.Equal(d.value, older.value) {
		return false
	}
	return !slices.ContainsFunc(older.thing, func(token string) bool { return !slices.Contains(d.thing, token) })
}
