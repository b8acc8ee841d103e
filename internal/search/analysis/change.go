package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words that say that something is otherwise than before. By them a statement is known
// to replace another, not by what they say: "moved" may be said of a thing that was
// moved about as well.
var (
	changing = set(`now nowadays currently anymore instead became become moved relocated migrated switched changed
		renamed transferred`)
	// adjusting words say it before "to" or "from", or before a number that something is set to.
	adjusting = set(`raised lowered increased reduced decreased upgraded downgraded updated extended shortened postponed
		rescheduled reassigned`)
	// changingPairs are two words of which neither says it alone.
	changingPairs = map[string]string{
		"no": "longer", "any": "more", "these": "days", "as": "of", "taken": "over", "took": "over", "gone": "over", "given": "up", "went": "up",
	}
	// starts stand behind "from": from now on, from this month on.
	starts = set("now today tomorrow this next")
	// leaving stand before what is over: from Dalia, left Graz, not oolong.
	leaving = set("from left not longer swapped instead replaced")
	// owners stand before "new" where it tells a thing from the one before it: "the new
	// port", and not "a new port".
	owners = set("the our my your his her its their")

	// gathering words have several objects as a rule: who likes tea may like coffee too.
	gathering = stems(`like love enjoy hate dislike fear admire speak know play read watch eat visit attend collect own
		want need allergic support include contain offer sell teach use depend take buy pack bring wear cook grow
		list item task todo bug issue risk problem allergy symptom condition decision
		avoid maintain say tell responsible handle show return accept learn train remember remind
		friend brother sister cousin uncle aunt neighbour neighbor colleague child son daughter pet`)
	// adding words tell of something beside what is known already.
	adding = set("also additionally too another")

	changeStems = func() map[string]bool {
		out := set("new longer")
		for word := range changing {
			out[Stem(word)] = true
		}
		return out
	}()
)

func stems(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[Stem(word)] = true
	}
	return out
}

// happened are verbs in the past that do not end in ed.
var happened = set(`was were had did went came met saw bought sold said told gave got ate drank made took left sent wrote read
	found lost paid spent won ran sat slept spoke heard flew drove broke began thought brought taught caught held`)

// Happened tells by the words of a text that it says what happened, and not how things are.
// English only.
func Happened(words []string) bool {
	for i, word := range words {
		switch before := at(words, i-1); {
		case happened[word] && !isBeing[before]:
			return true
		case len(word) > len("shed") && strings.HasSuffix(word, "ed") && !strings.HasSuffix(word, "eed") && i > 0 && !isBeing[before] && !determiners[before]:
			return true
		}
	}
	return false
}

// isBeing stands before a participle: is owned.
var isBeing = set("is are am be been being was were has have gets get")

// Adds tells by the words of a text that it says something beside what was said. English only.
func Adds(words []string) bool {
	for i, word := range words {
		if adding[word] || word == "as" && at(words, i+1) == "well" && at(words, i+2) != "as" {
			return true
		}
	}
	return false
}

// Gathers tells content tokens behind which one of several stands. English only.
func Gathers(token string) bool { return gathering[token] }

// Change is what a text says to be otherwise than before.
type Change struct {
	Said   bool     // it says that something is
	Leaves []string // content tokens behind "from", "left", "instead of" and their like
}

// ReadChange reads a text and its words. English only.
func ReadChange(text string, words []string) Change {
	c := Change{Said: changed(text, words)}
	for i, word := range words {
		if !leaving[word] {
			continue
		}
		behind := upTo(words[i+1 : min(len(words), i+1+left)])
		if c.Said || leaves(text, words, i) {
			c.Leaves = append(c.Leaves, Tokens(strings.Join(behind, " "))...)
		}
	}
	return c
}

// leaves tells that what stands behind a word of leaving is over, though the text says of no change.
func leaves(text string, words []string, i int) bool {
	switch words[i] {
	case "not":
		return strings.Contains(text, ", not ")
	case "left", "swapped", "replaced":
		return !determiners[at(words, i-1)]
	}
	return slices.Contains(words[i:min(len(words), i+left+2)], "to")
}

func changed(text string, words []string) bool {
	named := namedNew(text)
	for i, word := range words {
		switch {
		case len(word) > longestChange:
		case changing[word] && !isDenied(words, i), changingPairs[word] != "" && changingPairs[word] == at(words, i+1):
			return true
		case adjusting[word] && !isDenied(words, i) && isAdjusted(words[i+1:]):
			return true
		case word == "from" && starts[at(words, i+1)], word == "new" && !named && (i == 0 || owners[words[i-1]]):
			return true
		}
	}
	return strings.Contains(text, "'s new ") || strings.Contains(text, "’s new ")
}

// isAdjusted tells words behind one of adjusting that say to what: to 5, the limit to 5.
func isAdjusted(behind []string) bool {
	to := slices.Index(behind, "to")
	return at(behind, 0) == "from" || to == 0 || to > 0 && isNumber(at(behind, to+1))
}

// isDenied tells a word right behind one that says that it is not so: not changed, has not been
// changed. "Not anymore" is none.
func isDenied(words []string, i int) bool {
	return words[i] != "anymore" && (denying[at(words, i-1)] || denying[at(words, i-2)] && isBeing[at(words, i-1)])
}

// namedNew tells that the first New of a text begins a name, as in New York.
func namedNew(text string) bool {
	_, behind, ok := strings.Cut(text, "New ")
	first, n := utf8.DecodeRuneInString(behind)
	second, _ := utf8.DecodeRuneInString(behind[n:])
	return ok && unicode.IsUpper(first) && unicode.IsLower(second)
}

// longestChange is the length of the longest word of changing.
const longestChange = len("transferred")

// left is how many words behind a word of leaving may be what is over.
const left = 3

// IsChangeWord tells words that say no more than that something changed.
func IsChangeWord(word string) bool { return changing[word] || word == "new" || word == "longer" }

// IsChangeTerm tells content tokens that say no more than that something changed.
func IsChangeTerm(token string) bool { return changeStems[token] }
