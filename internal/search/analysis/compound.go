package analysis

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Compound is what something is called by two words: a person or a firm (Wanda Haddad),
// or anything behind an article or its owner (the messaging service). What has one of the
// words in common with it is something else: Wanda Novak, the telemetry service.
// English only.
type Compound struct {
	First, Second string // stems
	Proper        bool   // both are written with a capital
}

var (
	determiners = set("the a an my our your his her its their this that these those")
	titles      = set("mr mrs ms miss dr prof sir madam lady lord")
)

// mostCompounds bounds what of a long query is looked for in every text.
const mostCompounds = 8

// Compounds answers the first ones of a text in order, each once.
func Compounds(text string) []Compound {
	var out []Compound
	for c := range compounds(text) {
		if !c.in(out) {
			out = append(out, c)
		}
		if len(out) == mostCompounds {
			break
		}
	}
	return out
}

func (c Compound) is(o Compound) bool { return c.First == o.First && c.Second == o.Second }

func (c Compound) in(list []Compound) bool { return slices.ContainsFunc(list, c.is) }

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

// IsOfOther tells a text that speaks of something else than some compounds do: it has
// one word of one with another word in the place of the second, which stands nowhere in
// it; or it has no word of those that are proper, and another that is.
func IsOfOther(known []Compound, text string) bool {
	all := make([]sought, len(known))
	strange := false // as long as none of the proper ones has a word in the text
	for i, c := range known {
		all[i] = sought{c, holdsStem(text, c.First), holdsStem(text, c.Second)}
		strange = strange || c.Proper
	}
	for _, s := range all {
		strange = strange && !(s.Proper && (s.first || s.second))
	}
	var thing, name, held bool
	for t := range compounds(text) {
		if t.in(known) {
			held = held || t.Proper
			continue
		}
		name = name || strange && t.Proper
		for _, s := range all {
			halved := s.halvedBy(t)
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

// halvedBy tells that one of the text's compounds has one of the words in its place, and
// that the text has not the other.
func (s sought) halvedBy(t Compound) bool {
	return s.first && !s.second && t.First == s.First || s.second && !s.first && t.Second == s.Second
}

// holdsStem is mayHold for any script.
func holdsStem(text, stem string) bool {
	if isASCII(stem) {
		return mayHold(text, stem)
	}
	return slices.Contains(Words(text), stem) // which is its own stem
}

// part is a word that may belong to a compound.
type part struct {
	word    string // folded; empty: none
	capital bool
	owns    bool // what stands behind it
	ends    bool // nothing behind it belongs to it
}

// compounds yields those of a text in order.
func compounds(text string) iter.Seq[Compound] {
	return func(yield func(Compound) bool) {
		t, _ := tokenizers.Get().(*tokenizer) // for its stems
		defer tokenizers.Put(t)
		var before, last part
		for field := range strings.FieldsSeq(text) {
			now := readPart(field)
			if proper, ok := joined(before, last, now); ok && !yield(Compound{t.stemmer.stem(last.word), t.stemmer.stem(now.word), proper}) {
				return
			}
			before, last = last, now
		}
	}
}

// joined tells that two words are one compound, by what stands before them.
func joined(before, first, second part) (proper, ok bool) {
	if first.ends || !first.means() || !second.means() {
		return false, false
	}
	proper = first.capital && second.capital
	behind := before.owns || determiners[before.word] && !before.ends
	return proper, proper || behind && !first.capital && !second.capital
}

func (p part) means() bool { return p.word != "" && !isStop(p.word) && !titles[p.word] }

func readPart(field string) part {
	core := strings.TrimFunc(field, isSign)
	words := Words(core)
	if len(words) != 1 {
		return part{}
	}
	first, _ := utf8.DecodeRuneInString(core)
	owns := ownsNext(core, field)
	return part{word: words[0], capital: unicode.IsUpper(first), owns: owns, ends: owns || !strings.HasSuffix(field, core)}
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// ownsNext tells Ana's and the girls', in both kinds of apostrophe.
func ownsNext(core, field string) bool {
	return strings.HasSuffix(core, "'s") || strings.HasSuffix(core, "’s") || strings.HasSuffix(field, "s'") || strings.HasSuffix(field, "s’")
}
