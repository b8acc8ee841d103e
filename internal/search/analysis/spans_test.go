package analysis

import (
	"testing"
	"time"
)

func TestR19SpansAreReadFromTheAnchor(t *testing.T) {
	anchor := time.Date(2031, 3, 12, 15, 4, 5, 0, time.FixedZone("", 3600)) // a Wednesday
	for _, c := range []struct{ query, from, to string }{
		{"what happened yesterday", "2031-03-11", "2031-03-12"},
		{"plans for today", "2031-03-12", "2031-03-13"},
		{"tomorrow?", "2031-03-13", "2031-03-14"},
		{"last week's tasks", "2031-03-03", "2031-03-10"},
		{"this week", "2031-03-10", "2031-03-17"},
		{"next month", "2031-04-01", "2031-05-01"},
		{"last month", "2031-02-01", "2031-03-01"},
		{"last year", "2030-01-01", "2031-01-01"},
		{"three days ago", "2031-03-09", "2031-03-10"},
		{"2 weeks ago", "2031-02-24", "2031-03-03"},
		{"a month ago", "2031-02-01", "2031-03-01"},
		{"in May 2029", "2029-05-01", "2029-06-01"},
	} {
		spans := Query(c.query).Spans(anchor)
		if len(spans) != 1 {
			t.Errorf("%q: %d spans", c.query, len(spans))
			continue
		}
		if from, to := spans[0].From.Format(time.DateOnly), spans[0].To.Format(time.DateOnly); from != c.from || to != c.to {
			t.Errorf("%q: %s to %s, want %s to %s", c.query, from, to, c.from, c.to)
		}
	}
}

func TestSpansOfNoExpression(t *testing.T) {
	anchor := time.Date(2031, 3, 12, 0, 0, 0, 0, time.UTC)
	for _, query := range []string{"", "the last supper", "days ago", "1000 days ago", "this is it", "next"} {
		if spans := Query(query).Spans(anchor); len(spans) != 0 {
			t.Errorf("%q: %v", query, spans)
		}
	}
	if spans := Query("last week in June").Spans(time.Time{}); len(spans) != 1 || spans[0].AnyYearOf != time.June {
		t.Errorf("without an anchor: %v", spans)
	}
}

func TestSpanHoldsItsStartAndNotItsEnd(t *testing.T) {
	from := time.Date(2031, 3, 1, 0, 0, 0, 0, time.UTC)
	span := Span{From: from, To: from.AddDate(0, 1, 0)}
	june := Span{AnyYearOf: time.June}
	for _, c := range []struct {
		span Span
		at   time.Time
		want bool
	}{
		{span, from, true}, {span, from.Add(-1), false}, {span, span.To.Add(-1), true}, {span, span.To, false},
		{span, time.Time{}, false}, {june, time.Date(1999, 6, 30, 23, 0, 0, 0, time.UTC), true},
		{june, from, false}, {june, time.Time{}, false},
	} {
		if got := c.span.Holds(c.at); got != c.want {
			t.Errorf("%v holds %v: %v", c.span, c.at, got)
		}
	}
}
