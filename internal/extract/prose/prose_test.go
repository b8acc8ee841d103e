package prose

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func pieces(text string, spans []Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, s.Of(text))
	}
	return out
}

func TestSentences(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"signs only", " ... -- !", nil},
		{"stops", "It works. Does it? Yes! Good… We ship", []string{"It works.", "Does it?", "Yes!", "Good…", "We ship"}},
		{"abbreviations", "Dr. Keller and Mr. Haas meet, e.g. on Monday. It is at 5 p.m. in St. Mark's.", []string{"Dr. Keller and Mr. Haas meet, e.g. on Monday.", "It is at 5 p.m. in St. Mark's."}},
		{"abbreviations that end a sentence", "We work for Acme Inc. They pay at 5 p.m. We go.", []string{"We work for Acme Inc.", "They pay at 5 p.m.", "We go."}},
		{"initials", "J. R. Tolkien wrote it. So did I. Then he left.", []string{"J. R. Tolkien wrote it.", "So did I.", "Then he left."}},
		{"numbers", "It costs 3.50 in v1.2.3. See main.go at example.org. No. 5 is alive.", []string{"It costs 3.50 in v1.2.3.", "See main.go at example.org.", "No. 5 is alive."}},
		{"quotes", `He said "It works. Ship it." and left. "Really?" she asked. "Yes." We did.`, []string{`He said "It works. Ship it." and left.`, `"Really?" she asked.`, `"Yes."`, "We did."}},
		{"a quote that is not closed", `The 5" pipe broke. We fixed it.`, []string{`The 5" pipe broke.`, "We fixed it."}},
		{"brackets", "We ship (at last.) Then we rest.", []string{"We ship (at last.)", "Then we rest."}},
		{"small letters", "ok. we will use it. fine", []string{"ok.", "we will use it.", "fine"}},
		{"dots that go on", "Well... maybe not. Or... Yes.", []string{"Well... maybe not.", "Or...", "Yes."}},
		{"lines", "Steps:\n1. Run it\n2. Stop it\n\nThis line\ngoes on.\n- item", []string{"Steps:", "1. Run it", "2. Stop it", "This line\ngoes on.", "- item"}},
		{"other scripts", "倉庫は開きます。はい！ Да. Нет?", []string{"倉庫は開きます。", "はい！", "Да.", "Нет?"}},
		{"a German date", "Es schließt am 30. Juni. Danke.", []string{"Es schließt am 30. Juni.", "Danke."}},
		{"wrapped lines", "We decided to use\nElixir and OTP.\nIt is fast.", []string{"We decided to use\nElixir and OTP.", "It is fast."}},
		{"lines of their own", "<note>\nWe go\n\nThey stay\n```\nx\n```\nCost: 5\nDay: 6\n# End\nof it", []string{"<note>", "We go", "They stay", "x", "Cost: 5", "Day: 6", "# End", "of it"}},
		{"ordinals", "Die Frist ist am 3. Juni 2027. Am 2. Montag. Er kommt den 4. maj. I am 30. They are 5. We go.", []string{"Die Frist ist am 3. Juni 2027.", "Am 2. Montag.", "Er kommt den 4. maj.", "I am 30.", "They are 5.", "We go."}},
		{"short words before numbers", "The fix is in v. 2.1 of it. C'est à 15 h. 30 demain. Page nr. 7 and str. 9. We use it. 3 of us.", []string{"The fix is in v. 2.1 of it.", "C'est à 15 h. 30 demain.", "Page nr. 7 and str. 9.", "We use it.", "3 of us."}},
		{"not UTF-8", "a\xff b. c\xff", []string{"a\xff b.", "c\xff"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := pieces(c.text, Sentences(c.text)); !slices.Equal(got, c.want) {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestRelativeDates(t *testing.T) {
	said := time.Date(2026, 3, 2, 23, 30, 0, 0, time.UTC) // a Monday
	cases := []struct{ text, want string }{
		{"I moved yesterday.", "yesterday=2026-03-01"},
		{"Yesterday morning it rained, today it snows.", "Yesterday morning=2026-03-01 today=2026-03-02"},
		{"See you tomorrow night!", "tomorrow night=2026-03-03"},
		{"It was the day before yesterday.", "the day before yesterday=2026-02-28"},
		{"the day after tomorrow", "the day after tomorrow=2026-03-04"},
		{"last night, this morning, tonight", "last night=2026-03-01 this morning=2026-03-02 tonight=2026-03-02"},
		{"last week and next week", "last week=week of 2026-02-23 next week=week of 2026-03-09"},
		{"last month, this year, next year", "last month=2026-02 this year=2026 next year=2027"},
		{"last Friday or last Monday", "last Friday=2026-02-27 last Monday=2026-02-23"},
		{"3 days ago, two weeks ago, a month ago, ten years ago", "3 days ago=2026-02-27 two weeks ago=week of 2026-02-16 a month ago=2026-02 ten years ago=2016"},
		{"next Friday, on Monday, in two days, some time ago, zero days ago", ""},
		{"the song 'Yesterday' and the \"last week\"", ""},
		{"last, this, next, the day", ""},
	}
	for _, c := range cases {
		var got []string
		for _, d := range Relative(c.text, said) {
			got = append(got, d.Of(c.text)+"="+d.String())
		}
		if joined := strings.Join(got, " "); joined != c.want {
			t.Errorf("%q: %q, want %q", c.text, joined, c.want)
		}
	}
	if got := Relative("yesterday", time.Time{}); got != nil {
		t.Errorf("of no instant: %v", got)
	}
}

func TestRelativeDatesAtTheTurnOfAYear(t *testing.T) {
	for text, want := range map[string]string{"yesterday": "2025-12-31", "last month": "2025-12", "last week": "week of 2025-12-22", "last Thursday": "2025-12-25"} {
		got := Relative(text, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		if len(got) != 1 || got[0].String() != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAbsoluteDates(t *testing.T) {
	cases := []struct{ text, want string }{
		{"on 2026-03-01 and 12026-03-011, 2026-02-30", "2026-03-01=2026-03-01"},
		{"on 1 March 2026, March 3rd, 2025 and 31 June 2026", "1 March 2026=2026-03-01 March 3rd, 2025=2025-03-03 June 2026=2026-06"},
		{"since March 2024, in 2019, of 2018, 1500 in stock", "March 2024=2024-03 2019=2019"},
		{"in May we may march", ""},
	}
	for _, c := range cases {
		var got []string
		for _, d := range Absolute(c.text) {
			got = append(got, d.Of(c.text)+"="+d.String())
		}
		if joined := strings.Join(got, " "); joined != c.want {
			t.Errorf("%q: %q, want %q", c.text, joined, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	cases := map[string][]string{
		"five of 1,800 or 3.50 at 12:30, v1.2, 10pm and one more": {"5", "1800", "3.50", "12:30", "1.2", "10"},
		"1,2 and 3": {"1,2", "3"},
		"none":      nil,
	}
	for text, want := range cases {
		if got := Numbers(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestClausesAndStance(t *testing.T) {
	text := "I didn't like the red one, so maybe we stopped using it; in May it rains"
	want := []string{"I didn't like the red one,", "so maybe we stopped using it;", "in May it rains"}
	got := pieces(text, Clauses(text))
	if !slices.Equal(got, want) {
		t.Fatalf("clauses %q", got)
	}
	for i, want := range []Stance{{Denied: true}, {Doubted: true, Undone: true}, {}} {
		if stance := StanceOf(got[i]); stance != want {
			t.Errorf("%q: %+v", got[i], stance)
		}
	}
	if !IsConditional("We go if it rains") || IsConditional("We go") || !IsQuestion(`"Really?"`) || IsQuestion("Really.") {
		t.Error("conditions or questions are not told")
	}
}

// FuzzSentences: spans lie in the text, in order, on the borders of code points, and
// together they have all its letters and digits.
func FuzzSentences(f *testing.F) {
	for _, seed := range []string{"It works. Ship it.", `He said "It. Works." Yes`, "1. a\n2. b", "a\xff.\xfe b", "“x. y” z. 30. Juni", "Dr. No. 5 p.m. U.S. e.g. x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last, n := 0, 0
		for _, s := range Sentences(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %+v after %d", s, last)
			}
			n += WordRunes(s.Of(text))
			last = s.End
			checkClauses(t, s.Of(text))
		}
		if all := WordRunes(text); all != n {
			t.Errorf("%d letters and digits of %d", n, all)
		}
	})
}

func checkClauses(t *testing.T, sentence string) {
	t.Helper()
	n := 0
	for _, c := range Clauses(sentence) {
		n += WordRunes(c.Of(sentence))
		StanceOf(c.Of(sentence))
	}
	if all := WordRunes(sentence); all != n {
		t.Errorf("clauses of %q have %d letters and digits of %d", sentence, n, all)
	}
}

// FuzzDates: dates lie in the text, in order, and each is the first instant of its
// unit.
func FuzzDates(f *testing.F) {
	for _, seed := range []string{"yesterday morning", "the day before yesterday", "two weeks ago", "last Friday", "1 March 2026, 2026-03-01", "'yesterday'", "a\xff ago"} {
		f.Add(seed, int64(1772445600))
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		last := 0
		for _, d := range Relative(text, time.Unix(seconds%4e9, 0)) {
			if d.Start < last || d.End <= d.Start || d.End > len(text) {
				t.Fatalf("date %+v after %d", d, last)
			}
			last = d.End
			checkDate(t, d)
		}
		for _, d := range Absolute(text) {
			if d.Start < 0 || d.End <= d.Start || d.End > len(text) {
				t.Fatalf("date %+v", d)
			}
			checkDate(t, d)
		}
		Numbers(text)
	})
}

func checkDate(t *testing.T, d Date) {
	t.Helper()
	if d.From.Hour() != 0 || d.Unit == Week && d.From.Weekday() != time.Monday || d.Unit == Month && d.From.Day() != 1 || d.Unit == Year && d.From.YearDay() != 1 {
		t.Errorf("date %v of unit %d", d.From, d.Unit)
	}
}
