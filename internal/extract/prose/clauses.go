package prose

import (
	"strings"
	"unicode/utf8"
)

// breaks are words that begin a clause of their own.
var breaks = set("but so because although though while whereas then however therefore since if unless and or")

// Clauses parts a sentence at commas, semicolons, colons, dashes and brackets, and
// before words such as "but" and "because".
func Clauses(sentence string) []Span {
	var out []Span
	start := 0
	cut := func(end int) {
		out = appendSpan(out, sentence, Span{start, end})
		start = end
	}
	last := 0
	for _, w := range Words(sentence) {
		if strings.ContainsAny(sentence[last:w.Start], ",;:()—–…") || strings.Contains(sentence[last:w.Start], " - ") ||
			breaks[strings.ToLower(w.Of(sentence))] {
			cut(w.Start)
		}
		last = w.End
	}
	cut(len(sentence))
	return out
}

// Stance is how a clause stands to what it says. Whoever says it in other words has
// to keep it.
type Stance struct {
	Denied  bool // says that something is not
	Doubted bool // says that something may be, might be wished or is proposed
	Undone  bool // says that something was given up, refused or stopped
}

var (
	denials = set(`not no never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt wont isnt
		arent wasnt hardly barely não nao nunca sem jamais nicht kein keine keinen nie ohne ne pas sans ningún ninguna
		nadie niet geen nooit non né senza`)
	doubts = set(`might maybe perhaps possibly could would probably considering consider considered propose proposed
		proposes suggest suggested wish wishes hope hopes hoped hoping wondering thinking supposedly allegedly apparently
		rumour rumor unsure`)
	undone = set(`cancel cancels canceled cancelled cancelling reject rejects rejected refuse refuses refused deny denies
		denied stop stops stopped avoid avoids avoided fail fails failed failing doubt doubts forbid forbids forbidden
		forbade abandon abandoned abandons against instead longer formerly former quit dropped rejecting postponed undo
		undone revert reverted withdrew withdrawn`)
	opposites = set(`love loves loved like likes liked hate hates hated dislike dislikes disliked prefer prefers preferred
		enjoy enjoys approve approved accept accepted allow allowed increase increased decrease decreased more less all
		only always before after win won lose lost open opened close closed start started buy bought sell sold best worst
		safe unsafe true false must free`)
	conditions = set("if unless whether suppose supposing provided assuming")
)

// StanceOf reads a clause.
func StanceOf(clause string) Stance {
	var s Stance
	words := Words(clause)
	low := lower(clause, words)
	for i, word := range low {
		s.Denied = s.Denied || denials[word] || strings.HasSuffix(word, "n't")
		s.Doubted = s.Doubted || doubts[word] || word == "may" && strings.HasPrefix(words[i].Of(clause), "m")
		s.Undone = s.Undone || undone[word] || word == "used" && at(low, i+1) == "to"
	}
	s.Denied = s.Denied || strings.ContainsAny(clause, "不没沒") || strings.Contains(clause, "ません") || strings.Contains(clause, "ない")
	return s
}

// IsConditional tells whether a sentence holds only under a condition.
func IsConditional(sentence string) bool {
	for _, word := range Lower(sentence) {
		if conditions[word] {
			return true
		}
	}
	return false
}

// Turns tells whether a small word can turn what a text says into its contrary, but
// for denials and doubts, which are read with their clause.
func Turns(word string) bool { return undone[word] || opposites[word] }

// FirstIsUpper tells whether a word begins with a capital.
func FirstIsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return strings.ToLower(string(r)) != string(r)
}
