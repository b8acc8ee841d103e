package analysis

import (
	"slices"
	"strings"
)

// Qualified are the content tokens of a text that stand behind a preposition: of which of
// several it is, for breakfast, in staging. English only.
func Qualified(words []string) []string {
	var out []string
	inside := false
	for i, word := range words {
		switch tokens := Tokens(word); {
		case word == "to" && intends[at(words, i-1)]:
			inside = false
		case relating[word], word == "during":
			inside = true
		case determiners[word]:
		case inside && len(tokens) > 0:
			out = append(out, tokens...)
		default:
			inside = false
		}
	}
	return out
}

// intends are words behind which "to" begins what somebody is to do.
var intends = set("plan plans planned want wants need needs have has had like likes going used able try tries decide decided hope intend")

// Owned answers the content tokens that a text says to be somebody's or something's:
// Maria's sister. With pronouns also my wife, its owner. Words such as "new" are passed
// over. English only.
func Owned(text string, pronouns bool) []string {
	var out []string
	owns := false
	for field := range strings.FieldsSeq(text) {
		core := strings.TrimFunc(field, isSign)
		words := Words(core)
		tokens := slices.DeleteFunc(Tokens(core), IsChangeTerm)
		if owns && len(tokens) > 0 {
			out = append(out, tokens[0])
			owns = false
		}
		if ownsNext(core, field) || pronouns && len(words) == 1 && owners[words[0]] && words[0] != "the" {
			owns = true
		}
	}
	return out
}

// turns are the stems of verbs that tell of an event which changes something.
var turns = func() map[string]bool {
	out := map[string]bool{}
	for _, verbs := range []map[string]bool{turning, adjusting, ending, disposing, passing, set("migrated")} {
		for verb := range verbs {
			out[Stem(verb)] = true
		}
	}
	return out
}()

// TurnAt is the place of the first of some words that may be the verb of an event which
// changes something; -1: there is none.
func TurnAt(words []string) int {
	return slices.IndexFunc(words, func(word string) bool { return turns[Stem(word)] })
}

// besides are adverbs and verbs that tell nothing of what a text is about.
var besides = set("only just still always usually also mostly normally goes go gets get uses use used takes take has have")

// IsBeside tells a word that may stand anywhere in a text and tells nothing of what it is
// about: only, usually, goes.
func IsBeside(word string) bool { return besides[word] }

// IsAct tells a word that has the form of a verb: owns, owned.
func IsAct(word string) bool { return inPresent(word) || strings.HasSuffix(word, "ed") }
