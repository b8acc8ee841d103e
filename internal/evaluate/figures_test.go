package evaluate

import (
	"math"
	"slices"
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/recall"
)

// near compares figures; nil is -1 in the tables.
func near(got *float64, want float64) bool {
	if got == nil {
		return want == -1
	}
	return math.Abs(*got-want) < 1e-4
}

func TestR056FiguresOfACase(t *testing.T) {
	for _, c := range []struct {
		name                         string
		expected, returned           []string
		k                            int
		hit                          bool
		precision, recall, rank, dcg float64
	}{
		{"found first", []string{"a"}, []string{"a"}, 1, true, 1, 1, 1, 1},
		{"another first", []string{"a"}, []string{"b"}, 1, false, 0, 0, 0, 0},
		{"nothing returned", []string{"a"}, []string{}, 3, false, 0, 0, 0, 0},
		{"second of two", []string{"a"}, []string{"b", "a"}, 3, true, .5, 1, .5, .6309},
		{"two of three, first and third", []string{"a", "b"}, []string{"a", "x", "b"}, 3, true, .6667, 1, 1, .9197},
		{"one of two, fewer than k returned", []string{"a", "b"}, []string{"x", "b"}, 5, true, .5, .5, .5, .3869},
		{"three expected, k is one", []string{"a", "b", "c"}, []string{"b"}, 1, true, 1, .3333, 1, 1},
		{"three expected, k is two", []string{"a", "b", "c"}, []string{"x", "c"}, 2, true, .5, .3333, .5, .3869},
		{"expected twice", []string{"a", "a"}, []string{"a", "x"}, 2, true, .5, 1, 1, 1},
		{"nothing expected", nil, []string{"a"}, 2, false, -1, -1, -1, -1},
	} {
		r := judge(Case{Query: c.name, ExpectedIDs: c.expected}, c.returned, c.k)
		if !near(r.Precision, c.precision) || !near(r.Recall, c.recall) || !near(r.ReciprocalRank, c.rank) || !near(r.NDCG, c.dcg) {
			t.Errorf("%s: %v %v %v %v", c.name, show(r.Precision), show(r.Recall), show(r.ReciprocalRank), show(r.NDCG))
		}
		if (r.Hit == nil) != (c.precision == -1) || r.Hit != nil && *r.Hit != c.hit {
			t.Errorf("%s: hit %v", c.name, r.Hit)
		}
	}
}

func show(p *float64) float64 {
	if p == nil {
		return -1
	}
	return *p
}

func TestR087OverallFiguresWithNothingToCountAreNil(t *testing.T) {
	found, missed := judge(Case{ExpectedIDs: []string{"a"}}, []string{"a", "b"}, 2), judge(Case{ExpectedIDs: []string{"a"}}, []string{"b"}, 2)
	silent, loud := judge(Case{}, []string{}, 2), judge(Case{}, []string{"a"}, 2)
	for _, c := range []struct {
		name                                   string
		results                                []Result
		hits, precision, recall, mrr, dcg, abs float64
	}{
		{"no case", nil, -1, -1, -1, -1, -1, -1},
		{"expected only", []Result{found, missed}, .5, .25, .5, .5, .5, -1},
		{"nothing expected only", []Result{silent, loud, loud}, -1, -1, -1, -1, -1, .3333},
		{"both", []Result{found, silent}, 1, .5, 1, 1, 1, 1},
	} {
		var sum totals
		for _, r := range c.results {
			sum.add(r)
		}
		o := sum.overall()
		if !near(o.HitRate, c.hits) || !near(o.Precision, c.precision) || !near(o.Recall, c.recall) || !near(o.MRR, c.mrr) ||
			!near(o.NDCG, c.dcg) || !near(o.Abstention, c.abs) {
			t.Errorf("%s: %v %v %v %v %v %v", c.name, show(o.HitRate), show(o.Precision), show(o.Recall), show(o.MRR), show(o.NDCG), show(o.Abstention))
		}
	}
}

func entry(id string, score float64, at int64) recall.Entry {
	m := &memory.Memory{ID: id}
	m.Temporal.RecordedAt = time.Unix(at, 0)
	return recall.Entry{Memory: m, Score: score}
}

func TestReturnedIsTheRankingOverAllSections(t *testing.T) {
	found := recall.Context{Sections: map[recall.Section][]recall.Entry{
		recall.TenantFloors:     {entry("floor", 1, 0)},
		recall.SessionSummary:   {entry("summary", 1, 0)},
		recall.WorkspaceEntries: {entry("a", .9, 1), entry("c", .5, 1), entry("e", .2, 1)},
		recall.TenantEntries:    {entry("b", .7, 1), entry("d", .5, 2)},
		recall.SessionEntries:   {entry("f", .2, 1)},
	}}
	want := []string{"a", "b", "d", "c", "f", "e"}
	for k := range 8 {
		if got := ranked(found, k); !slices.Equal(got, want[:min(k, len(want))]) {
			t.Errorf("first %d: %v", k, got)
		}
	}
	if got := ranked(recall.Context{}, 3); got == nil || len(got) != 0 {
		t.Errorf("nothing found: %v", got)
	}
}
