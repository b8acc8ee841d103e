package memory

import (
	"regexp"
	"slices"
	"strings"
)

// plainly writes the words of a text in one way where there are two that say the
// same: contractions, abbreviations with points, spellings of two countries, "there
// is", and the order of two colours.
func plainly(units []string) []string {
	var out []string
	for _, unit := range units {
		out = append(out, written(unit)...)
	}
	return colours(withoutThere(out))
}

// written is a word without contraction, in one spelling.
func written(word string) []string {
	if full, ok := contractions[word]; ok {
		return strings.Fields(full)
	}
	if bare := strings.Trim(word, "'"); bare != "" { // quotes
		word = bare
	}
	head, tail, contracted := strings.Cut(word, "'")
	switch {
	case contracted && tail == "t" && len(head) > 2 && strings.HasSuffix(head, "n"):
		return []string{head[:len(head)-1], "not"}
	case contracted && clitics[tail] != "":
		return []string{spelled(head), clitics[tail]}
	}
	return []string{spelled(word)}
}

var contractions = map[string]string{
	"cannot": "can not", "can't": "can not", "won't": "will not", "shan't": "shall not",
}

var clitics = map[string]string{"re": "are", "m": "am", "ve": "have", "ll": "will"}

// spelled is the American spelling of a word that has two.
func spelled(word string) string {
	if other, ok := spellings[word]; ok {
		return other
	}
	for _, s := range spellingEndings {
		if stem, ok := strings.CutSuffix(word, s.british); ok && spellingStems[stem+s.british[:s.shared]] {
			return stem + s.american
		}
	}
	return word
}

// withoutThere drops "there is" at the beginning.
func withoutThere(list []string) []string {
	if len(list) > 3 && list[0] == "there" && isBe[list[1]] {
		return list[2:]
	}
	return list
}

var isBe = wordSet("is are was were")

// abbreviation are single letters with points between them: u.s., p.m.
var abbreviation = regexp.MustCompile(`\b[a-z](?:\.[a-z])+\b\.?`)

// withoutPoints writes abbreviations without points.
func withoutPoints(exact string) string {
	if strings.Count(exact, ".") < 2 {
		return exact
	}
	return abbreviation.ReplaceAllStringFunc(exact, func(s string) string { return strings.ReplaceAll(s, ".", "") })
}

// withoutLead drops what only leads into a statement: a word of no meaning and a
// comma behind it ("So, the gate is open" but not "So many gates are open").
func withoutLead(exact string) string {
	first, rest, found := strings.Cut(exact, ", ")
	if found && rest != "" && leads[first] {
		return rest
	}
	return exact
}

var leads = wordSet("well so ok okay oh hey hi hello anyway fyi btw")

// colours puts two colours that "and" joins into one order.
func colours(list []string) []string {
	out := slices.Clone(list)
	for i := 1; i+1 < len(out); i++ {
		if out[i] == "and" && isColour[out[i-1]] && isColour[out[i+1]] && out[i-1] > out[i+1] {
			out[i-1], out[i+1] = out[i+1], out[i-1]
		}
	}
	return out
}

var isColour = wordSet("black white red green blue yellow brown grey gray orange purple pink tan beige")
