package rank

import (
	"testing"
	"time"

	"holdfast/internal/search/analysis"
)

func TestR019AMonthWithoutAYearIsReadFromAChosenAnchor(t *testing.T) {
	q := analysis.Query("what happened in March and in June 2029")
	if spans := Spans(q, Options{Anchor: noon}); len(spans) != 2 || spans[0].AnyYearOf != time.March {
		t.Errorf("without a chosen anchor: %v", spans)
	}
	march := func(year int) time.Time { return time.Date(year, 3, 1, 0, 0, 0, 0, time.UTC) }
	for anchor, year := range map[time.Time]int{
		march(2031): 2031, march(2031).Add(-1): 2030, noon: 2031, time.Date(2031, 12, 31, 0, 0, 0, 0, time.UTC): 2031,
	} {
		spans := Spans(q, Options{Anchor: anchor, Framed: true})
		if len(spans) != 2 || !spans[0].From.Equal(march(year)) || !spans[0].To.Equal(march(year).AddDate(0, 1, 0)) || spans[0].AnyYearOf != 0 {
			t.Errorf("from %v: %v, want %d", anchor, spans, year)
		}
		if spans[1].From.Year() != 2029 {
			t.Errorf("a year that is named moved: %v", spans)
		}
	}
}
