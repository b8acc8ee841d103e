package analysis

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

var monthNames = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6,
	"july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

var (
	weekdays = set("monday tuesday wednesday thursday friday saturday sunday")
	relative = set("yesterday today tonight tomorrow ago weekend")
	spans    = set("day days week weeks weekend month months year years hour hours morning afternoon evening night summer winter spring autumn fall")
	pointers = set("last next this past previous coming every few")
	datedBy  = set("in on of during since until till by before after from early late mid last next")
)

// ambiguous months are other words as well ("may", "march", "mar") and count
// only beside a number or after a word such as "in".
var ambiguous = set("may march mar jan dec sep oct nov")

// months answers the months that the words name, each with the year beside it.
func months(words []string) []Month {
	var out []Month
	for i, word := range words {
		month, ok := monthNames[word]
		if !ok || ambiguous[word] && !dated(words, i) {
			continue
		}
		named := Month{Month: month, Year: yearBeside(words, i)}
		if !slices.Contains(out, named) {
			out = append(out, named)
		}
	}
	return out
}

// dated tells whether the word at i stands where a date stands.
func dated(words []string, i int) bool {
	before := at(words, i-1)
	return datedBy[before] || isNumber(before) || isNumber(at(words, i+1))
}

// isNumber tells digits, also with an ending (7th).
func isNumber(word string) bool {
	return word != "" && isDigit(word[0])
}

// yearBeside looks one and two words after a month (May 2023; May 7, 2023).
func yearBeside(words []string, i int) int {
	for _, candidate := range []string{at(words, i+1), at(words, i+2)} {
		if year, ok := asYear(candidate); ok {
			return year
		}
	}
	return 0
}

// years answers the years that the words name.
func years(words []string) []int {
	var out []int
	for _, word := range words {
		if year, ok := asYear(word); ok && !slices.Contains(out, year) {
			out = append(out, year)
		}
	}
	return out
}

func asYear(word string) (int, bool) {
	if len(word) != 4 {
		return 0, false
	}
	year, err := strconv.Atoi(word)
	return year, err == nil && year >= 1900 && year < 2100
}

// isClock tells a time of day by the words that 19:15, 7 pm and half past six are read as.
func isClock(words []string, i int) bool {
	switch word, next := words[i], at(words, i+1); {
	case isNumber(word):
		before := at(words, i-1)
		return next == "am" || next == "pm" || next == "o'clock" || strings.HasSuffix(word, "am") || strings.HasSuffix(word, "pm") ||
			len(next) == 2 && len(word) <= 2 && isNumber(next) && clockBy[before]
	case word == "past" || word == "noon" || word == "midnight":
		return word != "past" || at(words, i-1) == "half" || at(words, i-1) == "quarter"
	}
	return false
}

// clockBy stands before a time of day.
var clockBy = set("at by from to until till before after around about")

// HasTime tells whether a text holds an expression of time: a date, a day of the
// week, a year, "yesterday", "last week", "two months ago".
func HasTime(text string) bool { return TellsTime(Words(text)) }

// TellsTime is HasTime of a text's words.
func TellsTime(words []string) bool {
	for i, word := range words {
		switch {
		case relative[word], weekdays[word], isClock(words, i):
			return true
		case spans[word] && (pointers[at(words, i-1)] || isNumber(at(words, i-1))):
			return true
		}
		if _, ok := monthNames[word]; ok && (!ambiguous[word] || dated(words, i)) {
			return true
		}
		if _, ok := asYear(word); ok {
			return true
		}
	}
	return false
}
