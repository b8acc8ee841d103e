package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// baseline is the small one of testdata.
func baseline(t *testing.T) saved {
	t.Helper()
	s, err := readSaved(filepath.Join("testdata", "baseline.json"))
	if err != nil || len(s.Ranking) != 5 {
		t.Fatalf("%+v, %v", s, err)
	}
	return s
}

func TestComparing(t *testing.T) {
	const (
		recall = "LoCoMo, hybrid, recall@10"
		first  = "generated updates plain open, hybrid, current first"
		old    = "generated updates plain open, hybrid, stale in top 3"
		asked  = "generated updates plain open, questions"
		fresh  = "generated updates plain open, lexical, current first"
	)
	cases := []struct {
		name   string
		change func(figures)
		of     string
		want   verdict
		fails  bool
	}{
		{"the same", func(figures) {}, recall, fine, false},
		{"fell by what is allowed", func(f figures) { f[recall] = .795 }, recall, fine, false},
		{"fell", func(f figures) { f[recall] = .7949 }, recall, worse, true},
		{"rose", func(f figures) { f[first] = .99 }, first, fine, false},
		{"stale rose by what is allowed", func(f figures) { f[old] = .025 }, old, fine, false},
		{"stale rose", func(f figures) { f[old] = .03 }, old, worse, true},
		{"stale fell", func(f figures) { f[old] = 0 }, old, fine, false},
		{"a figure is missing", func(f figures) { delete(f, first) }, first, gone, true},
		{"a figure is new", func(f figures) { f[fresh] = .1 }, fresh, added, false},
		{"other questions", func(f figures) { f[asked] = 101 }, asked, otherSet, true},
		{"fewer questions", func(f figures) { f[asked] = 99 }, asked, otherSet, true},
		{"a set was not measured", func(f figures) {
			maps.DeleteFunc(f, func(name string, _ float64) bool { return setOf(name) == "LoCoMo" })
		}, recall, unmeasured, false},
		{"nothing was measured", func(f figures) { clear(f) }, recall, unmeasured, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := baseline(t)
			now := maps.Clone(before.Ranking)
			c.change(now)
			rows := compare(before.Ranking, now)
			i := slices.IndexFunc(rows, func(r compared) bool { return r.Name == c.of })
			if i < 0 || rows[i].Verdict != c.want {
				t.Errorf("rows %+v", rows)
			}
			if err := checked(rows); (err != nil) != c.fails {
				t.Errorf("check: %v", err)
			}
		})
	}
}

func TestComparisonSaysWhatWasNotMeasured(t *testing.T) {
	before := baseline(t)
	now := figures{
		"generated updates plain open, hybrid, current first":  .8,
		"generated updates plain open, hybrid, stale in top 3": .02,
		"generated updates plain open, questions":              100,
	}
	var out strings.Builder
	if err := printCompared(&out, before, compare(before.Ranking, now)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"NOT MEASURED, SO NOT COMPARED: LoCoMo\n",
		"WORSE: generated updates plain open, hybrid, current first: 0.9 was saved, 0.8 now\n",
		"figures of 2026-05-01 09:00",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestNewestReportWithFiguresIsCompared(t *testing.T) {
	folder := t.TempDir()
	at := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	for i, r := range []report{
		{Ranking: figures{"a, questions": 1}}, {Ranking: figures{"a, questions": 2}}, {}, // the last measured no ranking
	} {
		r.At = at.AddDate(0, 0, i)
		if _, err := r.save(folder); err != nil {
			t.Fatal(err)
		}
	}
	s, err := readSaved(folder)
	if err != nil || s.Ranking["a, questions"] != 2 || !s.At.Equal(at.AddDate(0, 0, 1)) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := readSaved(t.TempDir()); !errors.Is(err, errNoFigures) {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := readSaved(filepath.Join(folder, "none.json")); err == nil || !strings.Contains(err.Error(), "-save-baseline") {
		t.Errorf("no file: %v", err)
	}
	broken := filepath.Join(folder, "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readSaved(broken); err == nil {
		t.Error("a broken file is taken")
	}
}

func TestBaselineIsReadBack(t *testing.T) {
	r := report{At: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)}
	r.Recall = []armRow{{Arm: "hybrid", Questions: 3, Recall10: 2. / 3, Sessions: 3, Evidence: map[string]float64{"512": .5}}}
	r.Sets = []setRow{{Name: "short facts", Arms: []armRow{{Arm: "lexical", Questions: 2, NDCG10: .25}}}}
	r.Updates = []updateRow{{Set: "plain", Half: "open", Arm: "hybrid", Pairs: 4, First: .75, Stale: .25}}
	r.Ranking = r.ranking()
	path := filepath.Join(t.TempDir(), "baseline.json")
	if err := r.saveBaseline(path); err != nil {
		t.Fatal(err)
	}
	s, err := readSaved(path)
	if err != nil || !maps.Equal(s.Ranking, r.Ranking) || !s.At.Equal(r.At) {
		t.Fatalf("%+v, %v", s, err)
	}
	for name, want := range map[string]float64{
		"LoCoMo, questions": 3, "LoCoMo, hybrid, recall@10": .6667, "LoCoMo, hybrid, evidence in 512": .5, "LoCoMo, hybrid, session@1": 0,
		"generated short facts, lexical, NDCG@10": .25, "generated updates plain open, hybrid, stale in top 3": .25,
	} {
		if got, ok := s.Ranking[name]; !ok || got != want {
			t.Errorf("%s is %v", name, got)
		}
	}
	if _, ok := s.Ranking["generated short facts, lexical, session@1"]; ok {
		t.Error("sessions where there are none")
	}
}

func TestBaselineNeedsEverything(t *testing.T) {
	o := options{data: t.TempDir(), baseline: true, parts: map[string]bool{"recall": true, "made": true}}
	if err := o.run(t.Context()); !errors.Is(err, errNoBaseline) {
		t.Errorf("without conversations: %v", err)
	}
}
