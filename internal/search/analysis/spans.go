package analysis

import (
	"slices"
	"strconv"
	"time"
)

// Span is a stretch of time that a query names: from From until before To, or a
// month of any year.
type Span struct {
	From, To  time.Time
	AnyYearOf time.Month // 0: From and To count
}

// Holds tells whether an instant lies in the span; never for the zero instant.
func (s Span) Holds(at time.Time) bool {
	if at.IsZero() {
		return false
	}
	if s.AnyYearOf != 0 {
		return at.UTC().Month() == s.AnyYearOf
	}
	return !at.Before(s.From) && at.Before(s.To)
}

// Spans answers the stretches of time that the question names: months, and read
// from the anchor "yesterday", "last week", "this month", "three days ago" and
// their like, in UTC. With a zero anchor only months count.
func (q Question) Spans(anchor time.Time) []Span {
	var out []Span
	for _, m := range q.Months {
		if m.Year == 0 {
			out = append(out, Span{AnyYearOf: m.Month})
			continue
		}
		from := time.Date(m.Year, m.Month, 1, 0, 0, 0, 0, time.UTC)
		out = append(out, Span{From: from, To: from.AddDate(0, 1, 0)})
	}
	if anchor.IsZero() {
		return out
	}
	today := anchor.UTC().Truncate(24 * time.Hour)
	for i := range q.Words {
		if span, ok := relativeSpan(q.Words, i, today); ok && !slices.Contains(out, span) {
			out = append(out, span)
		}
	}
	return out
}

// relativeSpan reads the expression that starts at word i.
func relativeSpan(words []string, i int, today time.Time) (Span, bool) {
	next := at(words, i+1)
	switch words[i] {
	case "today", "tonight":
		return days(today, 0, 1), true
	case "yesterday":
		return days(today, -1, 1), true
	case "tomorrow":
		return days(today, 1, 1), true
	case "last":
		return unitSpan(next, today, -1)
	case "this":
		return unitSpan(next, today, 0)
	case "next":
		return unitSpan(next, today, 1)
	}
	if n, ok := smallNumber(words[i]); ok && at(words, i+2) == "ago" {
		return agoSpan(n, next, today)
	}
	return Span{}, false
}

func days(today time.Time, from, count int) Span {
	start := today.AddDate(0, 0, from)
	return Span{From: start, To: start.AddDate(0, 0, count)}
}

// unitSpan is the week (from Monday), month or year so many steps from today's.
func unitSpan(unit string, today time.Time, step int) (Span, bool) {
	switch unit {
	case "week":
		monday := (int(today.Weekday()) + 6) % 7
		return days(today, 7*step-monday, 7), true
	case "month":
		from := time.Date(today.Year(), today.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC)
		return Span{From: from, To: from.AddDate(0, 1, 0)}, true
	case "year":
		from := time.Date(today.Year()+step, 1, 1, 0, 0, 0, 0, time.UTC)
		return Span{From: from, To: from.AddDate(1, 0, 0)}, true
	}
	return Span{}, false
}

// agoSpan is the day so many days ago, the week so many weeks ago, and so on.
func agoSpan(n int, unit string, today time.Time) (Span, bool) {
	switch unit {
	case "day", "days":
		return days(today, -n, 1), true
	case "week", "weeks":
		return unitSpan("week", today, -n)
	case "month", "months":
		return unitSpan("month", today, -n)
	case "year", "years":
		return unitSpan("year", today, -n)
	}
	return Span{}, false
}

var numberWords = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}

// smallNumber reads up to three digits or a number word.
func smallNumber(word string) (int, bool) {
	if n, ok := numberWords[word]; ok {
		return n, true
	}
	if len(word) > 3 {
		return 0, false
	}
	n, err := strconv.Atoi(word)
	return n, err == nil
}
