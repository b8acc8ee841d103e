package offline

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"holdfast/internal/extract"
	"holdfast/internal/screen"
	"holdfast/internal/search/analysis"
)

// dialogue is one of testdata/dialogues.txt.
type dialogue struct {
	name, part string
	entries    []extract.Entry
	wanted     []wanted
}

// wanted is a marked piece of an entry.
type wanted struct {
	entry, text, kind string
	optional, found   bool
}

func readDialogues(t *testing.T) []*dialogue {
	t.Helper()
	raw, err := os.ReadFile("testdata/dialogues.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []*dialogue
	var at time.Time
	for line := range strings.SplitSeq(string(raw), "\n") {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "== "):
			head := strings.Split(line[3:], ", ")
			if at, err = time.Parse(time.DateOnly, head[2]); err != nil {
				t.Fatal(err)
			}
			out = append(out, &dialogue{name: head[0], part: head[1]})
		case strings.HasPrefix(line, "  "):
			e := &out[len(out)-1].entries[len(out[len(out)-1].entries)-1]
			e.Text += "\n" + strings.TrimSpace(line)
		default:
			out[len(out)-1].entries = append(out[len(out)-1].entries, readEntry(line, at))
			at = at.Add(time.Minute)
		}
	}
	for _, d := range out {
		d.unmark()
	}
	return out
}

func readEntry(line string, at time.Time) extract.Entry {
	head, text, _ := strings.Cut(line, ": ")
	e := extract.Entry{ID: fmt.Sprint("e", at.Unix()), Type: "fact", At: at, Text: text}
	name, flags, ok := strings.Cut(strings.TrimSuffix(head, "]"), "[")
	if ok {
		kind, weak, _ := strings.Cut(flags, ",")
		e.Type, e.Weak = kind, weak == "weak"
	}
	if name != "-" {
		e.Speaker = name
	}
	return e
}

// unmark takes the marks out of the entries.
func (d *dialogue) unmark() {
	for i := range d.entries {
		e := &d.entries[i]
		var b strings.Builder
		rest := e.Text
		for !strings.HasPrefix(rest, `{"`) {
			before, marked, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			piece, after, _ := strings.Cut(marked, "}")
			text, kind, _ := strings.Cut(piece, "|")
			d.wanted = append(d.wanted, wanted{e.ID, text, strings.TrimSuffix(kind, "?"), strings.HasSuffix(kind, "?"), false})
			b.WriteString(before + text)
			rest = after
		}
		e.Text = b.String() + rest
	}
}

// notes are the days that are written behind relative dates.
var notes = regexp.MustCompile(` \((week of )?\d{4}[-\d]*\)`)

// match answers the marked piece that a statement gives: most of the words of the
// one are in the other, and not much besides.
func (d *dialogue) match(s extract.Statement) *wanted {
	for i := range d.wanted {
		w := &d.wanted[i]
		if w.entry != s.Spans[0].EntryID {
			continue
		}
		got, want := analysis.Tokens(notes.ReplaceAllString(s.Text, "")), analysis.Tokens(w.text)
		shared := 0
		for _, token := range want {
			for j, g := range got {
				if g == token {
					shared++
					got[j] = ""
					break
				}
			}
		}
		if 5*shared >= 4*min(len(got), len(want)) && len(got) <= 2*len(want) && 2*shared >= len(want) {
			return w
		}
	}
	return nil
}

// figures count statements of a part of the test set.
type figures struct{ right, given, found, wanted, kinds int }

func (f figures) precision() float64 { return float64(f.right) / float64(max(1, f.given)) }
func (f figures) recall() float64    { return float64(f.found) / float64(max(1, f.wanted)) }

func measure(t *testing.T, d *dialogue, f *figures) {
	x := extract.New(New(), func(text string) bool { return screen.Check(text).Clean() })
	r, err := x.Batch(context.Background(), extract.Request{Entries: d.entries})
	if err != nil {
		t.Fatal(err)
	}
	if r.Counts.Ungrounded+r.Counts.Outside > 0 {
		t.Errorf("%s: the checks dropped %+v of what the rules gave", d.name, r.Counts)
	}
	for _, s := range r.Statements {
		w := d.match(s)
		switch {
		case w == nil:
			f.given++
			t.Logf("%s: not worth keeping (%s): %q", d.name, s.Type, s.Text)
		case w.optional:
		default:
			f.given++
			f.right++
			w.found = true
			if w.kind == s.Type {
				f.kinds++
			} else {
				t.Logf("%s: %s, not %s: %q", d.name, w.kind, s.Type, s.Text)
			}
		}
	}
	for _, w := range d.wanted {
		if w.optional {
			continue
		}
		f.wanted++
		if w.found {
			f.found++
		} else {
			t.Logf("%s: missed (%s): %q", d.name, w.kind, w.text)
		}
	}
}

// TestR048DialoguesKeepWhatIsWorthKeeping holds precision and recall of statements on
// each part: what the rules were made with, what was held out, and what was written
// when they were done. The package's doc has the figures of the first meetings.
func TestR048DialoguesKeepWhatIsWorthKeeping(t *testing.T) {
	all := map[string]*figures{"tune": {}, "held": {}, "fresh": {}}
	for _, d := range readDialogues(t) {
		measure(t, d, all[d.part])
	}
	for part, f := range all {
		t.Logf("%s: precision %.3f of %d, recall %.3f of %d, right type %.3f", part, f.precision(), f.given, f.recall(), f.wanted,
			float64(f.kinds)/float64(max(1, f.right)))
		if f.precision() < 0.95 || f.recall() < 0.95 {
			t.Errorf("%s: precision %.3f, recall %.3f", part, f.precision(), f.recall())
		}
	}
}
