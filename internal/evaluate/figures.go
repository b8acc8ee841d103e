package evaluate

import (
	"cmp"
	"math"
	"slices"

	"holdfast/internal/recall"
)

// unranked are the sections that do not come by rank.
var unranked = []recall.Section{recall.TenantFloors, recall.UserProfile, recall.SessionSummary}

// ranked are the ids of the first k entries of all ranked sections, by score, then the
// newest, then the greater id, which is how recall breaks ties.
func ranked(found recall.Context, k int) []string {
	var entries []recall.Entry
	for section, list := range found.Sections {
		if !slices.Contains(unranked, section) {
			entries = append(entries, list...)
		}
	}
	slices.SortFunc(entries, func(a, b recall.Entry) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			b.Memory.Temporal.RecordedAt.Compare(a.Memory.Temporal.RecordedAt),
			cmp.Compare(b.Memory.ID, a.Memory.ID),
		)
	})
	ids := []string{}
	for _, e := range entries[:min(k, len(entries))] {
		ids = append(ids, e.Memory.ID)
	}
	return ids
}

// judge compares what was returned with what is expected.
func judge(c Case, returned []string, k int) Result {
	r := Result{Query: c.Query, ReturnedIDs: returned}
	wanted := map[string]bool{}
	for _, id := range c.ExpectedIDs {
		wanted[id] = true
	}
	if len(wanted) == 0 {
		return r
	}
	hits, first, gain := 0, 0, 0.0
	for i, id := range returned {
		if !wanted[id] {
			continue
		}
		if hits++; hits == 1 {
			first = i + 1
		}
		gain += discount(i + 1)
	}
	r.Hit = ptr(hits > 0)
	r.Precision = ptr(share(hits, len(returned)))
	r.Recall = ptr(share(hits, len(wanted)))
	r.ReciprocalRank = ptr(share(min(1, hits), first))
	r.NDCG = ptr(gain / ideal(min(k, len(wanted))))
	return r
}

// discount is the gain of an expected id at a rank, from 1.
func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }

// ideal is the gain of so many expected ids in the first places.
func ideal(n int) float64 {
	sum := 0.0
	for rank := 1; rank <= n; rank++ {
		sum += discount(rank)
	}
	return sum
}

// share is n of m; 0 of nothing.
func share(n, m int) float64 {
	if m == 0 {
		return 0
	}
	return float64(n) / float64(m)
}

func ptr[T any](v T) *T { return &v }

// totals add cases up.
type totals struct {
	counted, hits                int // cases with expected ids
	precision, recall, mrr, ndcg float64
	others, abstained            int // cases without
}

func (t *totals) add(r Result) {
	if r.Hit == nil {
		t.others++
		if len(r.ReturnedIDs) == 0 {
			t.abstained++
		}
		return
	}
	t.counted++
	if *r.Hit {
		t.hits++
	}
	t.precision += *r.Precision
	t.recall += *r.Recall
	t.mrr += *r.ReciprocalRank
	t.ndcg += *r.NDCG
}

func (t *totals) overall() (o Overall) {
	if n := float64(t.counted); n > 0 {
		o.HitRate = ptr(float64(t.hits) / n)
		o.Precision, o.Recall, o.MRR, o.NDCG = ptr(t.precision/n), ptr(t.recall/n), ptr(t.mrr/n), ptr(t.ndcg/n)
	}
	if t.others > 0 {
		o.Abstention = ptr(share(t.abstained, t.others))
	}
	return o
}
