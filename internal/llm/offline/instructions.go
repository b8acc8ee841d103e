package offline

import (
	"slices"
	"strings"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// narrowing is what a caller's instructions keep: what one of keep holds, all where
// there is none, less what one of drop holds. However it is made, it lets through no
// more than there is.
type narrowing struct {
	keep, drop []rule
	none       bool // nothing is kept but the episode
}

// rule holds statements of its types (all where there are none) about one of its
// subjects (any where there are none).
type rule struct {
	kinds    []string
	subjects [][]string // stems of each
}

var kindWords = map[string]string{
	"decision": extract.Decision, "decisions": extract.Decision, "preference": extract.Preference, "preferences": extract.Preference,
	"procedure": extract.Procedure, "procedures": extract.Procedure, "how-tos": extract.Procedure, "howtos": extract.Procedure,
	"facts": extract.Fact, "fact": extract.Fact,
}

var (
	// keepers begin what is kept, droppers what is not.
	keepers  = set("keep only just store save remember retain record extract note collect include focus limit restrict capture")
	droppers = newPhrases("nothing about", "nothing on", "nothing regarding", "nothing concerning", "nothing that mentions",
		"anything about", "except", "excluding", "exclude", "without", "omit", "ignore", "skip", "leave out", "but not",
		"not", "no", "never", "don't", "do not", "drop", "discard", "forget", "apart from", "other than", "avoid")
	// abouts stand before subjects.
	abouts = newPhrases("about", "regarding", "concerning", "concern", "concerns", "related to", "relating to", "relate to",
		"with respect to", "mentioning", "mention", "mentions", "around", "on", "for", "of", "involving", "to do with",
		"subject of", "topic of")
	// vague words name no subject.
	vague = set(`keep only just store save remember retain record extract note collect include focus limit restrict
		capture anything everything something nothing all any thing things information info details detail statement
		statements entries entry memory memories item items content matter matters important relevant useful durable key
		main essential necessary significant new long term long-term please what which who really one ones stuff related
		else other others user users conversation conversations run session kept store stored decision decisions
		preference preferences fact facts procedure procedures text texts talk topic topics subject subjects question
		questions person people those these made taken kind type types sort be is are were was been be do does did that
		future later reference that's mentioned said don't never not no nothing except ignore skip omit drop without
		exclude mention mentions us me we they them it its`)
)

// narrowingOf reads instructions. Words that name neither types nor subjects keep all.
func narrowingOf(instructions string) narrowing {
	var n narrowing
	for _, s := range prose.Sentences(instructions) {
		for _, part := range strings.FieldsFunc(s.Of(instructions), func(r rune) bool { return strings.ContainsRune(";:()", r) }) {
			low := onlys(words(part))
			n.none = n.none || keepsNone(low)
			n.read(low)
		}
	}
	return n
}

// nothings say that nothing is kept; they are whole instructions.
var nothings = newPhrases("nothing", "keep nothing", "keep none", "keep no", "store nothing", "store none", "save nothing",
	"save none", "extract nothing", "remember nothing", "record nothing", "retain nothing", "don't keep", "do not keep",
	"don't store", "do not store", "don't save", "do not save", "don't extract", "do not extract", "don't remember",
	"do not remember", "never keep", "never store", "discard", "drop", "forget", "ignore", "skip", "omit")

// keepsNone tells whether words say that nothing is kept, of no subject or type.
func keepsNone(low []string) bool {
	for len(low) > 0 && (low[0] == "please" || low[0] == ",") {
		low = low[1:]
	}
	if len(low) == 0 {
		return false
	}
	n := nothings.at(low, 0)
	if n == 0 || len(low) == n && !closed[low[n-1]] {
		return false
	}
	for _, w := range low[n:] {
		if !closed[w] {
			return false
		}
	}
	return true
}

// closed words may stand in an instruction that nothing is kept.
var closed = set(`nothing none anything everything all any of it this that them these at please from run conversation session
	statement statements memory memories the here whatsoever ever , entry entries information`)

// onlys reads "nothing but" and "nothing except" as "only".
func onlys(low []string) []string {
	for i := 0; i+1 < len(low); i++ {
		if (low[i] == "nothing" || low[i] == "none") && (low[i+1] == "but" || low[i+1] == "except") {
			return slices.Concat(low[:i], []string{"only"}, low[i+2:])
		}
	}
	return low
}

// words answers the small words of a part, a comma as a word of its own.
func words(part string) []string {
	var out []string
	for i, piece := range strings.Split(part, ",") {
		if i > 0 {
			out = append(out, ",")
		}
		out = append(out, prose.Lower(piece)...)
	}
	return out
}

// read reads a part of the instructions: what is kept up to an exception, then the
// exceptions.
func (n *narrowing) read(low []string) {
	start, dropping := 0, false
	for i := 0; i < len(low); {
		size := droppers.at(low, i)
		if size == 0 || low[i] == "anything" && !dropping && !slices.Contains(low[:i], "don't") {
			if dropping && keepers[low[i]] && word(low, i-1) == "," {
				n.add(low[start:i], dropping)
				start, dropping = i, false
			}
			i++
			continue
		}
		n.add(low[start:i], dropping)
		start, dropping = i, true
		i += size
	}
	n.add(low[start:], dropping)
}

// add makes a rule of words; what names nothing is no rule.
func (n *narrowing) add(low []string, dropping bool) {
	r := rule{kinds: kindsIn(low), subjects: subjectsIn(low, dropping)}
	if len(r.kinds) == 0 && len(r.subjects) == 0 {
		return
	}
	switch {
	case dropping:
		n.drop = append(n.drop, r)
	case slices.ContainsFunc(low, func(w string) bool { return keepers[w] }), kindWords[low[0]] != "", abouts.at(low, 0) > 0:
		n.keep = append(n.keep, r)
	}
}

func kindsIn(low []string) []string {
	var out []string
	for _, w := range low {
		if kind := kindWords[w]; kind != "" && !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// subjectsIn reads the subjects: what stands behind "about", before a type ("database
// decisions"), behind "only", or behind the word of an exception.
func subjectsIn(low []string, dropping bool) [][]string {
	if at, size := aboutAt(low); size > 0 {
		if subjects := split(low[at+size:]); len(subjects) > 0 {
			return subjects
		}
	}
	for i, w := range low {
		if kindWords[w] != "" {
			return split(low[:i])
		}
	}
	if dropping || slices.Contains(low, "only") || slices.Contains(low, "just") {
		return split(low)
	}
	return nil
}

// aboutAt answers where the first word before subjects stands, and its length.
func aboutAt(low []string) (at, size int) {
	for i := range low {
		if size = abouts.at(low, i); size > 0 {
			return i, size
		}
	}
	return 0, 0
}

// split parts subjects at "and", "or" and commas.
func split(low []string) [][]string {
	var out [][]string
	var current []string
	flush := func() {
		if stems := analysis.Tokens(strings.Join(current, " ")); len(stems) > 0 {
			out = append(out, stems)
		}
		current = nil
	}
	for _, w := range low {
		switch {
		case w == "," || w == "and" || w == "or":
			flush()
		case w == "that" || w == "which" || w == "because":
			flush()
			return out
		case !vague[w] && abouts.at([]string{w}, 0) == 0:
			current = append(current, w)
		}
	}
	flush()
	return out
}

// keeps tells whether a piece is kept.
func (n narrowing) keeps(p piece) bool {
	if len(n.keep)+len(n.drop) == 0 {
		return true
	}
	stems := analysis.Tokens(p.text)
	holds := func(r rule) bool { return r.holds(p.kind, stems) }
	return (len(n.keep) == 0 || slices.ContainsFunc(n.keep, holds)) && !slices.ContainsFunc(n.drop, holds)
}

func (r rule) holds(kind string, stems []string) bool {
	return (len(r.kinds) == 0 || slices.Contains(r.kinds, kind)) &&
		(len(r.subjects) == 0 || slices.ContainsFunc(r.subjects, func(subject []string) bool { return isAbout(stems, subject) }))
}

// isAbout tells whether a text has the words of a subject: all of one or two, two in
// three of more.
func isAbout(stems, subject []string) bool {
	n := 0
	for _, stem := range subject {
		if slices.Contains(stems, stem) {
			n++
		}
	}
	return 3*n >= 2*len(subject) && (len(subject) > 2 || n == len(subject))
}
