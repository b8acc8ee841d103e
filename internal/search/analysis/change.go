package analysis

import (
	"slices"
	"strings"
)

// Words that say that something is otherwise than before. By them a statement is known
// to replace another, not by what they say: "moved" may be said of a thing that was
// moved about as well.
var (
	changing = set(`now nowadays currently anymore instead became become moved relocated migrated switched changed
		renamed transferred`)
	// changingPairs are two words of which neither says it alone.
	changingPairs = map[string]string{
		"no": "longer", "any": "more", "these": "days", "as": "of", "taken": "over", "took": "over", "gone": "over", "given": "up",
	}
	// starts stand behind "from": from now on, from this month on.
	starts = set("now today tomorrow this next")
	// leaving stand before what is over: from Dalia, left Graz, not oolong.
	leaving = set("from left not longer swapped instead")
	// owners stand before "new" where it tells a thing from the one before it: "the new
	// port", and not "a new port".
	owners = set("the our my your his her its their")

	changeStems = func() map[string]bool {
		out := set("new longer")
		for word := range changing {
			out[Stem(word)] = true
		}
		return out
	}()
)

// Changed tells a text that says that something is otherwise than before. English
// only.
func Changed(text string) bool {
	words := Words(text)
	for i, word := range words {
		if changing[word] || changingPairs[word] != "" && changingPairs[word] == at(words, i+1) {
			return true
		}
		if word == "from" && starts[at(words, i+1)] {
			return true
		}
		if word == "new" && (i == 0 || owners[words[i-1]]) {
			return true
		}
	}
	return strings.Contains(text, "'s new ") || strings.Contains(text, "’s new ")
}

// Leaves answers the content tokens that a text says to be over: those of the words
// behind "from", "left", "instead of" and their like.
func Leaves(text string) []string {
	words := Words(text)
	var out []string
	for i, word := range words {
		if leaving[word] && (word == "left" || word == "swapped" || Changed(text) || slices.Contains(words[i:min(len(words), i+left+2)], "to")) {
			out = append(out, Tokens(strings.Join(words[i+1:min(len(words), i+1+left)], " "))...)
		}
	}
	return out
}

// left is how many words behind a word of leaving may be what is over.
const left = 3

// IsChangeTerm tells content tokens that say no more than that something changed.
func IsChangeTerm(token string) bool { return changeStems[token] }
