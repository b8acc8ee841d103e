package opensearch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search"
)

// people makes a session of one-word turns; a name in capitals is a role's.
func people(speakers ...string) []*record {
	var out []*record
	for i, speaker := range speakers {
		out = append(out, &record{ID: fmt.Sprint(i), derived: derived{Kept: kept{
			Own: []string{fmt.Sprintf("w%d|1", i)}, Role: speaker == "ROLE",
		}}})
	}
	return out
}

func TestWindowsEndAtRolesAndAtTheEnds(t *testing.T) {
	for _, c := range []struct {
		session []*record
		at      int
		want    string // items before, two before and after
	}{
		{people("a"), 0, "- - -"},
		{people("a", "b"), 0, "- - 1"},
		{people("a", "b"), 1, "0 - -"},
		{people("a", "b", "c", "d"), 2, "1 0 3"},
		{people("a", "ROLE", "c", "d"), 2, "- - 3"},
		{people("ROLE", "b", "c", "d"), 2, "1 - 3"},
		{people("a", "b", "c", "ROLE"), 2, "1 0 -"},
		{people("a", "b", "ROLE", "d"), 2, "- - -"},
		{people("a", "b", "ROLE", "d"), 3, "- - -"},
	} {
		w := windowAt(c.session, c.at)
		got := []string{}
		for _, r := range []*record{w.previous, w.second, w.next} {
			if r == nil {
				got = append(got, "-")
			} else {
				got = append(got, r.ID)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("at %d of %d: %q, want %q", c.at, len(c.session), got, c.want)
		}
	}
}

func TestDigestsTellWindowsApart(t *testing.T) {
	s := people("a", "b", "c")
	silent := &record{}
	seen := map[string]window{}
	for _, w := range []window{
		{}, {previous: s[0]}, {next: s[0]}, {previous: s[0], second: s[1]}, {previous: s[1], second: s[0]},
		{previous: s[0], next: s[1]}, {previous: silent}, {next: s[2]},
	} {
		if other, known := seen[w.digest()]; known {
			t.Errorf("%+v and %+v", w, other)
		}
		seen[w.digest()] = w
	}
}

func TestPassagesWeighWordsNamesAndWindow(t *testing.T) {
	s := people("a", "b", "c", "d")
	r := s[2]
	r.Kept.Own, r.Kept.Speaker = []string{"kiln|2 w1|1", "oven|1"}, []string{"kiln", "nora"}
	r.derive(windowAt(s, 2))
	want := []passage{
		{"kiln|30 nora|10 w0|2 w1|13 w3|1", "kiln|30 nora|10 w1|10", 36, 30},
		{"kiln|10 nora|10 oven|10 w0|2 w1|3 w3|1", "kiln|10 nora|10 oven|10", 16, 10},
	}
	for i := range want {
		if r.Passages[i] != want[i] {
			t.Errorf("passage %d: %+v, want %+v", i, r.Passages[i], want[i])
		}
	}
	if r.Chunks != 2 || r.Length != 52 || r.PlainLength != 40 || fmt.Sprint(r.Words) != "[kiln nora oven w1]" {
		t.Errorf("record %+v", r.derived)
	}
}

func TestAHugeWindowWeighsInTheFirstPassageOnly(t *testing.T) {
	s := people("a", "b")
	long := weights{}
	for i := range maxSpread/2 + 1 {
		long[fmt.Sprint("w", i)] = 1
	}
	s[0].Kept.Own = []string{long.String()}
	s[1].Kept.Own = []string{"kiln|1", "oven|1"}
	s[1].derive(windowAt(s, 1))
	first, second := s[1].Passages[0], s[1].Passages[1]
	if len(first.Windowed) < maxSpread || second.Windowed != "oven|10" || first.Length != second.Length {
		t.Errorf("lengths %d and %d, second %q", first.Length, second.Length, second.Windowed)
	}
}

func TestSpansJoin(t *testing.T) {
	docs := func(ids string) (out []*record) {
		for _, id := range strings.Fields(ids) {
			out = append(out, &record{ID: id})
		}
		return out
	}
	show := func(spans []span) string {
		var out []string
		for _, s := range spans {
			var ids []string
			for _, r := range s.docs {
				ids = append(ids, r.ID)
			}
			out = append(out, fmt.Sprintf("%s-%s %v: %s", s.from, s.to, s.open, strings.Join(ids, " ")))
		}
		return strings.Join(out, "; ")
	}
	for _, c := range []struct {
		spans []span
		want  string
	}{
		{[]span{{"b", "e", false, docs("b c e")}}, "b-e false: b c e"},
		{[]span{{"e", "h", false, docs("e g")}, {"", "c", false, docs("a c")}}, "-c false: a c; e-h false: e g"},
		{[]span{{"b", "e", false, docs("b e")}, {"d", "h", true, docs("e g h")}}, "b-h true: b e g h"},
		{[]span{{"b", "h", true, docs("b h")}, {"d", "e", false, docs("")}}, "b-h true: b h"},
		{[]span{{"b", "c", false, docs("b c")}, {"c", "d", false, docs("c d")}, {"d", "f", false, docs("d f")}}, "b-f false: b c d f"},
	} {
		if got := show(merged(c.spans)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestRecordsHoldItemAndTimes(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	d := turn("1.4", "", "", "kiln", 1)
	d.Item, d.Times = "1", search.Times{"begun": time.Unix(2, 1999), "a.b": time.Unix(0, -1)}
	plain := turn("2", "", "", "kiln", 1)
	for _, err := range x.Apply(t.Context(), upserts(d, plain)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := n.record(t, documentID(scopeKey(d.Scope), "1.4"))
	if got.ID != "1.4" || got.Item != "1" || len(got.Times) != 2 || got.Times["begun"] != 2_000_001 || got.Times["a_2eb"] != -1 {
		t.Errorf("%+v", got)
	}
	if got = n.record(t, documentID(scopeKey(d.Scope), "2")); got.Item != "2" || got.Times != nil {
		t.Errorf("%+v", got)
	}
}
