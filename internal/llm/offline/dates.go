package offline

import (
	"strings"
	"time"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
)

// piece makes a piece of the entry's text: the speaker in place of "I", a capital at
// its start, and the days of relative dates.
func (e *entry) piece(kind, text string, worth float64) piece {
	text = strings.TrimSpace(text)
	p := piece{kind: kind, number: e.Number, worth: worth}
	if kind != extract.Procedure {
		p.validFrom = e.since(text)
		text = inPerson(text, e.Speaker)
	}
	p.text = capital(e.dated(text))
	return p
}

// dated writes the day behind each relative date: yesterday (2026-03-01).
func (e *entry) dated(text string) string {
	var b strings.Builder
	done := 0
	for _, d := range prose.Relative(text, e.at) {
		b.WriteString(text[done:d.End])
		b.WriteString(" (" + d.String() + ")")
		done = d.End
	}
	b.WriteString(text[done:])
	return b.String()
}

// endings are words before a date that is not the beginning of something.
var endings = set("until till by before due deadline to for than expires ends end")

// since is the day from which a text says that something holds: of its one date,
// where that is not after the entry's time; else empty.
func (e *entry) since(text string) string {
	dates := append(prose.Relative(text, e.at), prose.Absolute(text)...)
	if len(dates) != 1 {
		return ""
	}
	d := dates[0]
	before := prose.Lower(text[:d.Start])
	if n := len(before); n > 0 && endings[before[n-1]] || n > 1 && endings[before[n-2]] && before[n-1] == "on" {
		return ""
	}
	if !e.at.IsZero() && d.From.After(e.at) {
		return ""
	}
	return d.From.Format(time.DateOnly)
}
