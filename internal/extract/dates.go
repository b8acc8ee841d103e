package extract

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/extract/prose"
)

// withoutDates takes the dates out of a text that its entries justify, false where
// there is one that they do not: a date in brackets has to stand behind the relative
// expression that it resolves, or in the entry; any other day has to be named there.
func withoutDates(text string, cited []*source) (rest string, ok bool) {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '(')
		if open < 0 {
			break
		}
		length := strings.IndexByte(text[open:], ')') + 1
		note := text[open : open+length]
		if length == 0 || !isDate(strings.Trim(note, "()")) {
			b.WriteString(text[:open+1])
			text = text[open+1:]
			continue
		}
		if !resolved(b.String()+text[:open], strings.Trim(note, "()"), cited) {
			return "", false
		}
		b.WriteString(text[:open])
		text = text[open+length:]
	}
	b.WriteString(text)
	return withoutDays(b.String(), cited)
}

// isDate tells whether a note has the form of prose.Date's String.
func isDate(note string) bool {
	note = strings.TrimPrefix(note, "week of ")
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if _, err := time.Parse(layout, note); err == nil {
			return true
		}
	}
	return false
}

// resolved tells whether a note resolves the expression that before ends with, or
// stands in the entry as it is.
func resolved(before, note string, cited []*source) bool {
	before = strings.TrimSpace(before)
	return slices.ContainsFunc(cited, func(c *source) bool {
		if strings.Contains(c.Text, "("+note+")") {
			return true
		}
		return slices.ContainsFunc(c.dates, func(d prose.Date) bool {
			return d.String() == note && endsWith(before, d.Of(c.Text))
		})
	})
}

func endsWith(text, end string) bool {
	start := len(text) - len(end)
	return start >= 0 && utf8.RuneStart(text[start]) && strings.EqualFold(text[start:], end)
}

// withoutDays takes out the days of the form 2026-03-01.
func withoutDays(text string, cited []*source) (rest string, ok bool) {
	for _, d := range prose.Days(text) {
		if !slices.ContainsFunc(cited, func(c *source) bool { return c.names(d.From) }) {
			return "", false
		}
		text = strings.Replace(text, d.From.Format(time.DateOnly), "", 1)
	}
	return text, true
}
