package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Values are the content tokens of a text that say how many, when and who or what, by their
// form: of two texts about the same they are what may differ.
type Values struct {
	Numbers []Amount
	Times   []string
	Names   []string
}

// Amount is a number and what it is a number of: 12 people, platform 4.
type Amount struct {
	Number string
	Of     string // the content token right behind it, or else right before it; empty: none
}

// spelled are the numbers that are most often written as words.
var spelled = set(`two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
	seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand`)

// ValuesOf reads them. English only.
func ValuesOf(text string) Values {
	var v Values
	words := Words(text)
	for i, word := range words {
		token := Tokens(word)
		switch _, month := monthNames[word]; {
		case len(token) == 0:
		case isWeekday(word), month && (!ambiguous[word] || dated(words, i)), word == "noon", word == "midnight", isTime(words, i):
			v.Times = append(v.Times, token[0])
		case isNumber(word), spelled[word]:
			v.Numbers = append(v.Numbers, Amount{token[0], unit(words, i)})
		}
	}
	v.Names = namesIn(text)
	return v
}

// isWeekday tells the name of a day, or of such days.
func isWeekday(word string) bool { return weekdays[strings.TrimSuffix(word, "s")] }

// isTime tells a number of a time of day, or beside the name of a month.
func isTime(words []string, i int) bool {
	if !isNumber(words[i]) {
		return false
	}
	if isClock(words, i) || isNumber(at(words, i-1)) && isClock(words, i-1) {
		return true
	}
	_, before := monthNames[at(words, i-1)]
	_, behind := monthNames[at(words, i+1)]
	return before || behind
}

func unit(words []string, i int) string {
	for _, beside := range []string{at(words, i+1), at(words, i-1)} {
		if tokens := Tokens(beside); len(tokens) > 0 && !isNumber(beside) {
			return tokens[0]
		}
	}
	return ""
}

// namesIn answers the content tokens of words with a capital that name no time.
func namesIn(text string) []string {
	var out []string
	for field := range strings.FieldsSeq(text) {
		core := strings.TrimFunc(field, isSign)
		first, _ := utf8.DecodeRuneInString(core)
		if !unicode.IsUpper(first) {
			continue
		}
		for _, word := range Words(core) {
			if _, month := monthNames[word]; !month && !isWeekday(word) && !titles[word] && !relating[word] && !framing[word] && !outsets[word] {
				out = append(out, Tokens(word)...)
			}
		}
	}
	return out
}
