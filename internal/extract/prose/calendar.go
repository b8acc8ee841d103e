package prose

import (
	"strconv"
	"strings"
	"time"
)

var months = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6,
	"july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// Absolute answers the dates of a text that name their year: 2026-03-01, 1 March
// 2026, March 1, 2026, March 2026, and a year behind "in" or "since".
func Absolute(text string) []Date {
	words := Words(text)
	low := lower(text, words)
	out := Days(text)
	for i := 0; i < len(low); {
		found, n := absoluteAt(low, i)
		if n == 0 {
			i++
			continue
		}
		found.Span = Span{words[i].Start, words[i+n-1].End}
		out = append(out, found)
		i += n
	}
	return out
}

// Days answers the dates of the form 2026-03-01.
func Days(text string) []Date {
	var out []Date
	for i := 4; i+6 <= len(text); i++ {
		if text[i] != '-' || text[i+3] != '-' {
			continue
		}
		start, end := i-4, i+6
		from, err := time.Parse(time.DateOnly, text[start:end])
		if err == nil && !digitAt(text, start-1) && !digitAt(text, end) {
			out = append(out, Date{Span: Span{start, end}, From: from})
		}
	}
	return out
}

func digitAt(text string, i int) bool {
	return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9'
}

// absoluteAt reads the date that begins with word i; n is how many words it has.
func absoluteAt(low []string, i int) (d Date, n int) {
	if month, ok := months[low[i]]; ok {
		if year, ok := asYear(at(low, i+1)); ok {
			return Date{From: date(year, month, 1), Unit: Month}, 2
		}
		return dayOf(at(low, i+1), month, at(low, i+2), 3)
	}
	if month, ok := months[at(low, i+1)]; ok {
		return dayOf(low[i], month, at(low, i+2), 3)
	}
	if year, ok := asYear(low[i]); ok && (at(low, i-1) == "in" || at(low, i-1) == "since") {
		return Date{From: date(year, 1, 1), Unit: Year}, 1
	}
	return Date{}, 0
}

func dayOf(dayWord string, month time.Month, yearWord string, n int) (Date, int) {
	day, err := strconv.Atoi(strings.TrimRight(dayWord, "stndrh"))
	year, ok := asYear(yearWord)
	if err != nil || !ok || day < 1 {
		return Date{}, 0
	}
	from := date(year, month, day)
	if from.Month() != month {
		return Date{}, 0
	}
	return Date{From: from}, n
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func asYear(word string) (int, bool) {
	if len(word) != 4 {
		return 0, false
	}
	year, err := strconv.Atoi(word)
	return year, err == nil && year >= 1900 && year < 2100
}
