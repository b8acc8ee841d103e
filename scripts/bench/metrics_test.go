package main

import (
	"math"
	"testing"
	"time"
)

func set(ids ...string) map[string]bool {
	out := make(map[string]bool)
	for _, id := range ids {
		out[id] = true
	}
	return out
}

func TestRankingMetrics(t *testing.T) {
	cases := []struct {
		name         string
		ranked       []string
		relevant     map[string]bool
		recall, ndcg float64
	}{
		{"nothing came back", nil, set("a"), 0, 0},
		{"first", []string{"a", "b"}, set("a"), 1, 1},
		{"second", []string{"b", "a"}, set("a"), 1, 1 / math.Log2(3)},
		{"one of two", []string{"a", "x"}, set("a", "b"), .5, 1 / (1 + 1/math.Log2(3))},
		{"behind the tenth", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "a"}, set("a"), 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := recallAt(c.ranked, c.relevant, 10); got != c.recall {
				t.Errorf("recall %v, want %v", got, c.recall)
			}
			if got := ndcgAt(c.ranked, c.relevant, 10); math.Abs(got-c.ndcg) > 1e-12 {
				t.Errorf("NDCG %v, want %v", got, c.ndcg)
			}
		})
	}
}

func TestHitCountsDistinctSessions(t *testing.T) {
	ranked := []string{"s1", "s1", "s2", "s1", "s3"}
	for k, want := range map[int]bool{1: false, 2: false, 3: true} {
		if got := hitAt(ranked, set("s3"), k); got != want {
			t.Errorf("hit@%d is %v", k, got)
		}
	}
}

func TestPlainTextSurvivesBlocks(t *testing.T) {
	if got := plain("&lt;b&gt; tea &amp;\n milk"); got != "<b> tea & milk" {
		t.Errorf("plain gives %q", got)
	}
}

func TestQuantilesAndMedians(t *testing.T) {
	var took []time.Duration
	for i := 100; i > 0; i-- {
		took = append(took, time.Duration(i))
	}
	got := summarize(took)
	if want := (latency{50, 95, 99, 100}); got != want {
		t.Errorf("summary %+v, want %+v", got, want)
	}
	if got := median([]float64{9, 1, 5}); got != 5 {
		t.Errorf("median %v", got)
	}
	if got := median([]float64(nil)); got != 0 {
		t.Errorf("median of nothing %v", got)
	}
	runs := medianLatency([]latency{{1, 9, 30, 10}, {2, 8, 20, 10}, {3, 7, 10, 10}})
	if want := (latency{2, 8, 20, 30}); runs != want {
		t.Errorf("median of runs %+v, want %+v", runs, want)
	}
}

func TestTallyAveragesOverQuestions(t *testing.T) {
	sum := newTally()
	hit := question{Category: 1, Evidence: []string{"a", "b"}}
	miss := question{Category: 2, Evidence: []string{"c"}}
	sum.ranking(hit, []string{"a", "b"}, []string{"s1"}, set("s1"))
	sum.ranking(miss, []string{"x"}, []string{"s1", "s2"}, set("s2"))
	for _, q := range []question{hit, miss} {
		sum.budgeted(q)
	}
	sum.packing(512, 1, 2)
	sum.packing(512, 0, 1)
	got := sum.row("hybrid")
	if got.Recall10 != .5 || got.NDCG10 != .5 || got.Session1 != .5 || got.Session5 != 1 {
		t.Errorf("row %+v", got)
	}
	if got.Evidence["512"] != .25 || got.Turns["512"] != 1.0/3 || got.Any["512"] != .5 {
		t.Errorf("packing %v, %v", got.Evidence, got.Any)
	}
	if got.Questions != 2 || got.Packed != 2 || got.Sessions != 2 {
		t.Errorf("counts of %+v", got)
	}
	if got.ByCategory["1"].Recall10 != 1 || got.ByCategory["2"].Recall10 != 0 {
		t.Errorf("categories %v", got.ByCategory)
	}
}

func TestTallyWithoutSessionsOrBudgets(t *testing.T) {
	sum := newTally()
	sum.ranking(question{Category: 5, Evidence: []string{"a"}}, []string{"a"}, []string{""}, nil)
	got := sum.row("hybrid")
	if got.Recall10 != 1 || got.Sessions != 0 || got.Session1 != 0 || got.Packed != 0 || got.Evidence["512"] != 0 {
		t.Errorf("row %+v", got)
	}
}
