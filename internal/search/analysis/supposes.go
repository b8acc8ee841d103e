package analysis

import (
	"slices"
	"strings"
)

// supposing words tell of what may be so, or is on a condition.
var supposing = set(`if whether unless might would maybe perhaps probably possibly false untrue claims claimed allegedly hopes hoped
	wishes wished wants rumoured rumored`)

// Supposes tells by the words of a text that it does not say that something is so: it says
// that it may be, or on which condition. English only.
func Supposes(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return supposing[word] })
}

// UsedTo tells by the words of a text that it says what was the case: used to live. English
// only.
func UsedTo(words []string) bool {
	at := slices.Index(words, "used")
	return at >= 0 && at+1 < len(words) && words[at+1] == "to" && (at == 0 || !isBeing[words[at-1]])
}

// intending words tell of what is to be.
var intending = set("will should shall planned plans")

// Intends tells by the words of a text that it says what is to be, and not what is. English only.
func Intends(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return intending[word] })
}

// IsToDo tells an entry of a list of things to do, done or not: "- [ ] call Ana".
func IsToDo(text string) bool {
	box := strings.TrimLeft(text, "-*+ \t")
	return len(box) > 2 && box[0] == '[' && box[2] == ']'
}
