package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// titles never end a sentence.
	titles = set("mr mrs ms dr prof st vs e.g i.e eg ie cf approx fig vol ca dept gen sen rep capt sr rev")
	// endings may end one: they do before a capital.
	endings = set("etc inc ltd co corp jr a.m p.m am pm jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k e.u est ave rd")
)

// abbreviated tells whether the stop after before belongs to an abbreviation, an
// initial or the number of a list.
func abbreviated(before, rest string) bool {
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	word = strings.TrimLeft(word, "([\"'“‘")
	low := strings.ToLower(word)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	switch {
	case word != "" && strings.TrimLeft(before, " \t") == word && strings.Trim(word, "0123456789") == "":
		return true // the number of a list's item
	case titles[low]:
		return true
	case endings[low]:
		return unicode.IsLower(next) || unicode.IsDigit(next)
	case low == "no" || low == "nr" || low == "p" || low == "pp":
		return unicode.IsDigit(next)
	case word != "" && strings.Trim(word, "0123456789") == "":
		return unicode.IsLower(next) || len(word) < 3 && (ordinalMonth(rest) || leadsOrdinal(before[:len(before)-len(word)]))
	case unicode.IsDigit(next):
		return shortened(word)
	case utf8.RuneCountInString(word) == 1 && word != "I":
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r) && unicode.IsUpper(next)
	}
	return false
}

// shortened tells whether a word before a number is short for another: one letter, no
// vowel, or known.
func shortened(word string) bool {
	if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return false
	}
	low := strings.ToLower(word)
	n := utf8.RuneCountInString(low)
	return n == 1 && word != "I" || n < 5 && !strings.ContainsAny(low, "aeiouyáàâäãåéèêëíîïóôöõøúüæœ") && low[0] < utf8.RuneSelf || beforeNumbers[low]
}

// beforeNumbers are abbreviations that numbers follow.
var beforeNumbers = set("ver art sec chap ch para par abs al ul tel ext ed ap kap seite núm num pág pag cap col max min")

// leadsOrdinal tells whether the words before a number make it an ordinal, as in "am
// 3. Advent".
func leadsOrdinal(before string) bool {
	low := Lower(before)
	last := at(low, len(low)-1)
	return ordinalLeads[last] && !(last == "am" && at(low, len(low)-2) == "i")
}

// ordinalLeads stand before ordinals in languages that write them with a stop.
var ordinalLeads = set("am der das den dem des vom zum zur beim im jeden jede dne dnia")

// monthStarts begin the names of months in languages that write "30. Juni".
var monthStarts = []string{"jan", "feb", "mär", "mar", "apr", "mai", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dez", "des", "dec"}

func ordinalMonth(rest string) bool {
	rest = strings.ToLower(strings.TrimSpace(rest[:min(len(rest), 16)]))
	for _, month := range monthStarts {
		if strings.HasPrefix(rest, month) {
			return true
		}
	}
	return false
}
