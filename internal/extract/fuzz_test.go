package extract

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzAnswer: whatever a model says is broken, or gives texts of this batch whose
// spans lie in their entries and hold the text where they are not the whole.
func FuzzAnswer(f *testing.F) {
	for _, r := range broken() {
		f.Add(r.json, "I live in Porto.")
	}
	f.Add(porto, "I live in Porto.")
	f.Add(`{"statements":[{"type":"procedure","text":"(2026-03-01) ( not\u0000","entries":[1,2],"validFrom":"2026-03-01"}],"sentences":[],"narrowed":0}`, "yesterday \xff( not")
	f.Add(`{"statements":[],"sentences":[{"text":"İé 倉庫","entries":[2]}],"narrowed":0}`, "İE 倉庫 I live")
	f.Fuzz(func(t *testing.T, answer, text string) {
		entries := []Entry{entry("e1", "Ana", text), entry("e2", "", "The ferry leaves at nine. "+text)}
		r, err := New(&scripted{answers: []reply{{json: answer}}}, harmless).Batch(context.Background(), Request{Entries: entries})
		if err != nil && !errors.Is(err, ErrBroken) {
			t.Fatalf("error %v", err)
		}
		for _, s := range r.Statements {
			if !slices.Contains([]string{Fact, Decision, Preference, Procedure}, s.Type) || utf8.RuneCountInString(s.Text) > maxText {
				t.Errorf("statement %+v", s)
			}
			checkSpans(t, entries, s.Text, s.Spans)
		}
		for _, s := range r.Sentences {
			checkSpans(t, entries, s.Text, s.Spans)
		}
	})
}

func checkSpans(t *testing.T, entries []Entry, text string, spans []Span) {
	t.Helper()
	if len(spans) == 0 {
		t.Error("a text without spans")
	}
	for _, s := range spans {
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.ID == s.EntryID })
		if i < 0 {
			t.Fatalf("span of %q", s.EntryID)
		}
		whole := utf8.RuneCountInString(entries[i].Text)
		if s.Start < 0 || s.Start >= s.End || s.End > whole {
			t.Fatalf("span %+v of %d", s, whole)
		}
		if (s.Start > 0 || s.End < whole) && foldText(at(entries[i].Text, s.Start, s.End)) != foldText(text) {
			t.Errorf("span %q of the text %q", at(entries[i].Text, s.Start, s.End), text)
		}
	}
}

// FuzzFind: a piece of a text is found where it stands, in its words.
func FuzzFind(f *testing.F) {
	f.Add("The ferry leaves at nine.", 4, 9)
	f.Add("İé 倉庫は午前9時に 開きます", 0, 3)
	f.Add(" \n a  b\xff c", 1, 5)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if start < 0 || end > len(text) || start >= end {
			return
		}
		piece := text[start:end]
		s := &source{Entry: Entry{Text: text}}
		s.read()
		from, to, ok := s.find(piece)
		if !ok {
			return
		}
		if got := at(text, from, to); foldText(got) != foldText(piece) || strings.TrimSpace(piece) == "" {
			t.Errorf("%q in %q: %q", piece, text, got)
		}
	})
}
