package analysis

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	determiners = set("the a an my our your his her its their this that these those")
	// titles and forms of firms stand beside names and tell nobody apart.
	titles = set(`mr mrs ms miss dr prof professor sir madam lady lord president captain saint st uncle aunt sister
		brother inc corp corporation ltd llc gmbh plc`)
	// errands begin a sentence before a name.
	errands = set("ask call contact email invite meet phone remind tell thank visit")
	// qualifiers tell of a thing that it is the one that is meant, and not which.
	qualifiers = set("new current latest present actual recent usual main best whole entire own")
	// particles stand inside of names: Pieter van der Berg.
	particles = set("van von der den de del della di da dos du la le bin ibn al")
)

// spot is a compound where it stands in a text.
type spot struct {
	Compound
	heads bool // where a text says of whom it is: at the start of a clause, before 's or behind "of"
	acts  bool // the second word may be a verb: the shop closes
}

// part is a word that may belong to a compound.
type part struct {
	word    string // folded, without accents; empty: none
	begins  bool   // nothing before it belongs to it
	capital bool   // as names have: NASA and VS are none
	owns    bool   // what stands behind it
	ends    bool   // nothing behind it belongs to it
	cuts    bool   // a clause ends behind it
}

// compounds yields those of a text in order.
func compounds(text string) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		t, _ := tokenizers.Get().(*tokenizer) // for its stems
		defer tokenizers.Put(t)
		before, last := part{cuts: true}, part{cuts: true}
		for field := range strings.FieldsSeq(text) {
			now := readPart(field)
			if last.capital && !last.ends && !now.capital && particles[now.word] {
				continue
			}
			if proper, ok := joined(before, last, now); ok && !yield(spot{
				Compound: Compound{t.stemmer.stem(last.word), t.stemmer.stem(now.word), proper},
				heads:    before.cuts || now.owns || before.word == "of", acts: now.acts(),
			}) {
				return
			}
			before, last = last, now
		}
	}
}

// joined tells that two words are one compound, by what stands before them.
func joined(before, first, second part) (proper, ok bool) {
	if first.ends || second.begins || !first.means() || !second.means() {
		return false, false
	}
	proper = first.capital && second.capital
	behind := before.owns || determiners[before.word] && !before.ends
	return proper, proper || behind && !first.capital && !second.capital
}

// means tells a word that tells somebody or something apart; a day's or month's name dates.
func (p part) means() bool {
	if p.word == "" || isStop(p.word) || titles[p.word] {
		return false
	}
	_, month := monthNames[p.word]
	return p.capital && !month && !weekdays[p.word] && !errands[p.word] || !p.capital && !qualifiers[p.word]
}

// acts tells what may be a verb by its ending.
func (p part) acts() bool {
	return !p.capital && !p.owns && (inPresent(p.word) || strings.HasSuffix(p.word, "ed"))
}

func readPart(field string) part {
	core := strings.TrimFunc(field, isSign)
	cuts := strings.ContainsAny(field[len(field)-1:], ".,;!?")
	words := Words(core)
	if len(words) != 1 {
		return part{cuts: cuts}
	}
	owns := ownsNext(core, field)
	return part{
		word: bared(words[0]), capital: isCapital(core), begins: !strings.HasPrefix(field, core), owns: owns,
		ends: owns || !strings.HasSuffix(field, core), cuts: cuts,
	}
}

// isCapital tells a word that begins with a capital and does not consist of some, but for
// initials.
func isCapital(core string) bool {
	if i := strings.IndexAny(core, "'’"); i > 0 {
		core = core[:i]
	}
	first, n := utf8.DecodeRuneInString(core)
	return unicode.IsUpper(first) && (n == len(core) || strings.ContainsFunc(core, unicode.IsLower))
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// ownsNext tells Ana's and the girls', in both kinds of apostrophe.
func ownsNext(core, field string) bool {
	return strings.HasSuffix(core, "'s") || strings.HasSuffix(core, "’s") || strings.HasSuffix(field, "s'") || strings.HasSuffix(field, "s’")
}
