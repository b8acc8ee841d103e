package analysis

import "strings"

// isStop tells words that carry no content: articles, pronouns, prepositions,
// auxiliaries. Question words are among them; "not" as well, since a denial is
// found by what it denies. Longer lists were measured to lose recall.
func isStop(word string) bool {
	return len(word) <= longestStop && stopWords[word]
}

// IsCommon tells whether a folded word carries no content or names a month, so
// that it is hardly meant as a name where it is written small.
func IsCommon(word string) bool {
	_, month := monthNames[word]
	return month || isStop(word)
}

const longestStop = 5

var stopWords = set(`a an the and or but if of at by for with about to from in on as
	is are was were be been am do does did has have had will would can could
	i me my we our us you your he him his she her it its they them their
	this that these those there what which who whom when where why how not no so`)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}
