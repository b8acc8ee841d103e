package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"holdfast/internal/extract/prose"
	"holdfast/internal/search"
)

// inPerson answers a text that begins with "I" with the speaker's name in its place
// ("I live in Porto" said by Ana: "Ana lives in Porto"). Where the grammar is not
// sure it answers the text as it is: the verb has to be known, and no other word of
// the first person may follow.
func inPerson(text, speaker string) string {
	if !isName(speaker) || strings.ContainsAny(text, "\"“”\n") {
		return text
	}
	spans := prose.Words(text)
	low := prose.Lower(text)
	if len(low) < 3 || firstPersonIn(low[1:]) {
		return text
	}
	if low[0] == "my" {
		return speaker + "'s" + text[spans[0].End:]
	}
	if tail, ok := strings.CutPrefix(low[0], "i'"); ok && contractions[tail] != "" {
		return speaker + " " + contractions[tail] + text[spans[0].End:]
	}
	if low[0] != "i" {
		return text
	}
	i := 1
	for i < len(low)-1 && adverbs[low[i]] {
		i++
	}
	form, ok := thirdPerson(low[i])
	if !ok || secondVerb(low[i+1:]) {
		return text
	}
	return speaker + text[spans[0].End:spans[i].Start] + form + text[spans[i].End:]
}

var contractions = map[string]string{"m": "is", "ve": "has", "ll": "will"}

// isName tells whether a speaker can stand as the subject of a sentence: one or two
// words with capitals, no role.
func isName(speaker string) bool {
	words := strings.Fields(speaker)
	if len(words) == 0 || len(words) > 2 || utf8.RuneCountInString(speaker) > 40 {
		return false
	}
	if search.IsRole(speaker) || assistants[strings.ToLower(speaker)] {
		return false
	}
	for _, w := range words {
		if !prose.FirstIsUpper(w) || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }) {
			return false
		}
	}
	return !titles[strings.ToLower(words[0])]
}

// titles are words that speakers are called by and that are no names.
var titles = set(`user customer client guest visitor admin operator human caller host interviewer speaker participant
		anonymous unknown the`)

var self = set("i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'll we'd")

func firstPersonIn(low []string) bool {
	for _, w := range low {
		if self[w] {
			return true
		}
	}
	return false
}

// thirds are forms that do not follow the rule, or do not change.
var thirds = map[string]string{
	"am": "is", "have": "has", "do": "does", "go": "goes", "don't": "doesn't", "haven't": "hasn't", "study": "studies", "fly": "flies",
	"teach": "teaches", "watch": "watches", "wash": "washes", "carry": "carries", "was": "was", "will": "will", "can": "can", "can't": "can't",
	"cannot": "cannot", "must": "must", "should": "should", "had": "had", "did": "did", "didn't": "didn't", "won't": "won't", "wasn't": "wasn't",
	"fix": "fixes", "pass": "passes", "finish": "finishes", "try": "tries", "mix": "mixes",
}

// regular verbs take an s in the third person.
var regular = set(`live work like love prefer hate want need use own play speak drink eat run drive know keep take enjoy
		avoid plan commute write cook swim collect manage lead rent train travel bake walk paint sing volunteer sleep wear
		smoke support belong start stop dislike believe expect own build grow make buy sell meet visit`)

// thirdPerson answers the form of a verb behind a name, false where it is not known.
func thirdPerson(low string) (string, bool) {
	if form, ok := thirds[low]; ok {
		return form, true
	}
	if regular[low] {
		return low + "s", true
	}
	return low, pasts[low] && low != "read" || strings.HasSuffix(low, "ed") && len(low) > 4 && low != "need"
}

// secondVerb tells whether another verb with the same subject may follow, which would
// have to change as well.
func secondVerb(low []string) bool {
	for i, w := range low {
		if (w == "and" || w == "or" || w == "but") && (isVerb(word(low, i+1)) || adverbs[word(low, i+1)]) {
			return true
		}
	}
	return false
}
