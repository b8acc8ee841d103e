package analysis

import (
	"slices"
	"strings"
)

// Compound is what something is called by two words: a person or a firm (Wanda Haddad),
// or anything behind an article or its owner (the messaging service). What has one of the
// words in common with it is something else: Wanda Novak, the telemetry service.
// English only.
type Compound struct {
	First, Second string // stems
	Proper        bool   // both are written with a capital
}

// mostCompounds bounds what of a long query is looked for in every text.
const mostCompounds = 8

// Compounds answers the first ones of a text in order, each once.
func Compounds(text string) []Compound {
	var out []Compound
	for c := range compounds(text) {
		if !c.in(out) {
			out = append(out, c.Compound)
		}
		if len(out) == mostCompounds {
			break
		}
	}
	return out
}

func (c Compound) is(o Compound) bool { return c.First == o.First && c.Second == o.Second }

func (c Compound) in(list []Compound) bool { return slices.ContainsFunc(list, c.is) }

// isDoing tells a compound in the words of a question that is a thing and what it does: When
// does the shop open?
func (c Compound) isDoing(words []string) bool {
	for i := 3; i < len(words); i++ {
		next := at(words, i+1)
		if doing[words[i-3]] && determiners[words[i-2]] && (next == "" || next != "of" && relating[next]) &&
			Stem(words[i-1]) == c.First && Stem(words[i]) == c.Second {
			return true
		}
	}
	return false
}

var doing = set("do does did")

// In tells a text that holds the compound.
func (c Compound) In(text string) bool {
	if !holdsStem(text, c.First) || !holdsStem(text, c.Second) {
		return false
	}
	for t := range compounds(text) {
		if t.is(c) {
			return true
		}
	}
	return false
}

// HasOther tells a text that holds a compound which is none of some.
func HasOther(known []Compound, text string) bool {
	for t := range compounds(text) {
		if !t.in(known) {
			return true
		}
	}
	return false
}

// IsOfOther tells a text that speaks of something else than some compounds of a query do: it
// has one word of one with another word in the place of the second, which stands nowhere in
// it and is no term of the query; or it has no word of those that are proper, and says that
// it is of another that is.
func IsOfOther(known []Compound, terms []string, text string) bool {
	all, strange := seek(known, text)
	var thing, name, held bool
	for t := range compounds(text) {
		if t.in(known) {
			held = held || t.Proper
			continue
		}
		name = name || strange && t.Proper && t.heads
		for _, s := range all {
			halved := s.halvedBy(t, terms)
			thing, name = thing || halved && !s.Proper, name || halved && s.Proper
		}
	}
	return thing || name && !held
}

// sought is a compound with which of its words stand anywhere in a text.
type sought struct {
	Compound
	first, second bool
}

// seek looks for compounds in a text. Strange: some are proper, and it has no word of these.
func seek(known []Compound, text string) (all []sought, strange bool) {
	for _, c := range known {
		short := c.Proper && hasInitials(text, c)
		s := sought{c, short || holdsStem(text, c.First), short || holdsStem(text, c.Second)}
		all, strange = append(all, s), strange || c.Proper
	}
	return all, strange && !slices.ContainsFunc(all, func(s sought) bool { return s.Proper && (s.first || s.second) })
}

// halvedBy tells that one of the text's compounds has one of the words in its place, and
// that the text has not the other.
func (s sought) halvedBy(t spot, terms []string) bool {
	switch {
	case s.first && !s.second && t.First == s.First:
		return !t.acts && !slices.Contains(terms, t.Second) && !isShort(t.Second, s.Second)
	case s.second && !s.first && t.Second == s.Second:
		return !slices.Contains(terms, t.First) && !isShort(t.First, s.First)
	}
	return false
}

// isShort tells that one of two words is short for the other: it has letters of it in
// their order, and the first (svc and service, Tom and Thomas).
func isShort(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a[0] != b[0] {
		return false
	}
	for i := range len(a) {
		at := strings.IndexByte(b, a[i])
		if at < 0 {
			return false
		}
		b = b[at+1:]
	}
	return true
}

// hasInitials tells a text with a word that begins with a compound's initials in capitals,
// as NYC does with those of New York.
func hasInitials(text string, c Compound) bool {
	initials := strings.ToUpper(c.First[:1] + c.Second[:1])
	i := strings.Index(text, initials)
	if i < 0 || !isASCII(initials) || i > 0 && !isSign(rune(text[i-1])) {
		return false
	}
	rest := text[i+len(initials):]
	return rest == "" || !isLower(rest[0])
}

// holdsStem is mayHold for any script, whatever accents are written or left out.
func holdsStem(text, stem string) bool {
	if isASCII(text) {
		return isASCII(stem) && mayHold(text, stem)
	}
	return slices.ContainsFunc(Words(text), func(word string) bool { return isOf(word, stem) })
}
