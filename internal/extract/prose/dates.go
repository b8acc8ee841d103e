package prose

import (
	"strconv"
	"strings"
	"time"
)

// Unit is how exact a date is.
type Unit int

// The units.
const (
	Day Unit = iota
	Week
	Month
	Year
)

// Date is an expression of a text and the day, week, month or year that it means.
type Date struct {
	Span
	From time.Time // its first instant, in UTC
	Unit Unit
}

// String writes the date as far as it is exact: 2026-03-01, week of 2026-02-23,
// 2026-03 or 2026.
func (d Date) String() string {
	switch d.Unit {
	case Week:
		return "week of " + d.From.Format(time.DateOnly)
	case Month:
		return d.From.Format("2006-01")
	case Year:
		return d.From.Format("2006")
	}
	return d.From.Format(time.DateOnly)
}

// Relative answers the relative dates of a text that was said at an instant, in
// order: "yesterday", "last week", "three months ago", "last Friday". What can be
// read in two ways ("next Friday", "Monday", "in two days") is left out, and so is
// everything when the instant is zero.
func Relative(text string, said time.Time) []Date {
	if said.IsZero() {
		return nil
	}
	words := Words(text)
	low := lower(text, words)
	today := day(said.UTC())
	var out []Date
	for i := 0; i < len(low); {
		found, n := relativeAt(low[i:], today)
		if n == 0 || quoted(text, words[i].Start, words[i+n-1].End) {
			i++
			continue
		}
		found.Span = Span{words[i].Start, words[i+n-1].End}
		out = append(out, found)
		i += n
	}
	return out
}

func day(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }

// quoted tells whether an expression stands in quotes, as a title does.
func quoted(text string, start, end int) bool {
	return start > 0 && strings.ContainsAny(text[start-1:start], "\"'") && end < len(text) && strings.ContainsAny(text[end:end+1], "\"'")
}

var partsOfDay = set("morning afternoon evening night")

// relativeAt reads the expression that begins with the first word; n is how many
// words it has, 0 for none.
func relativeAt(low []string, today time.Time) (d Date, n int) {
	next := at(low, 1)
	switch low[0] {
	case "today", "tonight":
		return Date{From: today}, 1
	case "yesterday":
		return Date{From: today.AddDate(0, 0, -1)}, withPart(next)
	case "tomorrow":
		return Date{From: today.AddDate(0, 0, 1)}, withPart(next)
	case "the":
		return beside(low, today)
	case "last", "this", "next":
		return stepAt(low[0], next, today)
	}
	return agoAt(low, today)
}

func withPart(next string) int {
	if partsOfDay[next] {
		return 2
	}
	return 1
}

// beside reads "the day before yesterday" and "the day after tomorrow".
func beside(low []string, today time.Time) (Date, int) {
	if len(low) < 4 || low[1] != "day" {
		return Date{}, 0
	}
	switch low[2] + " " + low[3] {
	case "before yesterday":
		return Date{From: today.AddDate(0, 0, -2)}, 4
	case "after tomorrow":
		return Date{From: today.AddDate(0, 0, 2)}, 4
	}
	return Date{}, 0
}

var steps = map[string]int{"last": -1, "this": 0, "next": 1}

// stepAt reads "last week", "this month", "next year", "last night", "this morning"
// and "last Friday", which is the latest one before today.
func stepAt(pointer, unit string, today time.Time) (Date, int) {
	switch {
	case pointer == "last" && unit == "night":
		return Date{From: today.AddDate(0, 0, -1)}, 2
	case pointer == "this" && partsOfDay[unit]:
		return Date{From: today}, 2
	case pointer == "last":
		if weekday, ok := weekdays[unit]; ok {
			back := (int(today.Weekday()) - int(weekday) + 6) % 7
			return Date{From: today.AddDate(0, 0, -back-1)}, 2
		}
	}
	d, ok := moved(unit, steps[pointer], today)
	if !ok || d.Unit == Day {
		return Date{}, 0
	}
	return d, 2
}

var weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// moved is the day, week (from Monday), month or year so many steps from today's.
func moved(unit string, n int, today time.Time) (Date, bool) {
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return Date{From: today.AddDate(0, 0, n), Unit: Day}, true
	case "week":
		monday := (int(today.Weekday()) + 6) % 7
		return Date{From: today.AddDate(0, 0, 7*n-monday), Unit: Week}, true
	case "month":
		return Date{From: time.Date(today.Year(), today.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC), Unit: Month}, true
	case "year":
		return Date{From: time.Date(today.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC), Unit: Year}, true
	}
	return Date{}, false
}

// agoAt reads "two weeks ago".
func agoAt(low []string, today time.Time) (Date, int) {
	n, ok := smallNumber(low[0])
	if !ok || at(low, 2) != "ago" {
		return Date{}, 0
	}
	d, ok := moved(low[1], -n, today)
	if !ok {
		return Date{}, 0
	}
	return d, 3
}

// smallNumber reads a number word or up to three digits.
func smallNumber(word string) (int, bool) {
	switch word {
	case "a", "an", "one":
		return 1, true
	}
	if digits, ok := numberWords[word]; ok {
		word = digits
	}
	if len(word) == 0 || len(word) > 3 {
		return 0, false
	}
	n, err := strconv.Atoi(word)
	return n, err == nil && n > 0
}
