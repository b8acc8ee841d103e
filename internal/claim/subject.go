package claim

import (
	"strings"
	"unicode"

	"holdfast/internal/search/analysis"
)

// subject normalises who or what is spoken of: articles away, the owner first
// ("deadline of the report" is "report deadline"), stems, one spelling. fresh tells
// that it is called new. plain has the words in one spelling, not their stems, which
// several words may share. False where it is not one certain thing.
func subject(text string) (normal, plain string, fresh, ok bool) {
	list := strings.Fields(text)
	if len(list) == 0 || len(list) > 9 {
		return "", "", false, false
	}
	var groups [][]string // by "of" and "for", the owner last
	group := []string{}
	for i, w := range list {
		low := strings.ToLower(w)
		switch {
		case low == "of" || low == "for":
			groups, group = append(groups, group), []string{}
		case low == "the" || low == "current" || low == "currently":
		case low == "new":
			fresh = true
		case quantifiers[low] || low == "and" || low == "or" || low == "," || doubts[low]:
			return "", "", false, false
		case i > 0 && (low == "i" || low == "we"):
			return "", "", false, false
		default:
			group = append(group, w)
		}
	}
	groups = append(groups, group)
	if plural(groups[0]) {
		return "", "", false, false
	}
	var out, written []string
	for i := len(groups) - 1; i >= 0; i-- {
		if len(groups[i]) == 0 {
			return "", "", false, false
		}
		for _, w := range groups[i] {
			out, written = append(out, subjectWord(w)), append(written, plainWord(w))
		}
	}
	return oneNoun(out), oneNoun(written), fresh, true
}

// oneNoun writes a subject whose head has two words with one.
func oneNoun(list []string) string {
	text := strings.ReplaceAll(strings.Join(list, " "), "email address", "email")
	return strings.ReplaceAll(text, "phone number", "phone")
}

// plainWord is a word in one spelling, without the ending of an owner.
func plainWord(w string) string {
	low := strings.TrimSuffix(strings.ToLower(w), "'s")
	low = strings.TrimSuffix(low, "'")
	if s, ok := spellings[low]; ok {
		return s
	}
	return low
}

// subjectWord is one form of a word; address and other nouns that end like plurals
// keep their ending.
func subjectWord(w string) string {
	low := plainWord(w)
	if attributeNouns[low] || isCapital(w) {
		return low
	}
	return analysis.Stem(low)
}

// plural tells whether the head of a group is several things. Names may end in s.
func plural(group []string) bool {
	if len(group) == 0 {
		return true
	}
	head := group[len(group)-1]
	if isCapital(head) || strings.HasSuffix(head, "'s") || !strings.HasSuffix(head, "s") {
		return false
	}
	for _, ending := range []string{"ss", "us", "is", "ews"} {
		if strings.HasSuffix(head, ending) {
			return false
		}
	}
	return head != "series" && head != "headquarters"
}

func isCapital(w string) bool {
	for _, r := range w {
		return unicode.IsUpper(r)
	}
	return false
}

// head is the last word of a normalised subject.
func head(normal string) string { return normal[strings.LastIndexByte(normal, ' ')+1:] }

// isPerson tells a speaker, a name, or somebody's kin.
func isPerson(text string) bool {
	list := strings.Fields(text)
	if len(list) == 0 {
		return false
	}
	low := strings.ToLower(text)
	if low == "i" || low == "we" || low == "the user" || low == "user" {
		return true
	}
	if kin[strings.ToLower(list[len(list)-1])] {
		return true
	}
	return isName(text)
}

// isName tells words that all begin with a capital, no article among them.
func isName(text string) bool {
	list := strings.Fields(text)
	for _, w := range list {
		low := strings.ToLower(w)
		if !isCapital(w) || low == "the" || low == "my" || low == "our" || low == "a" || low == "an" || strings.HasSuffix(w, "'s") {
			return false
		}
	}
	return len(list) > 0 && len(list) <= 4
}

// isDefinite tells a thing that the text takes for known: not "a module".
func isDefinite(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	switch strings.ToLower(first) {
	case "the", "my", "our":
		return true
	case "a", "an":
		return false
	}
	return isCapital(first)
}
