//go:build integration

package opensearch

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
)

// fill writes documents in batches and answers how long that took.
func fill(t testing.TB, x search.Index, docs []search.Document, size int) time.Duration {
	t.Helper()
	start := time.Now()
	for part := range slices.Chunk(docs, size) {
		ops := make([]search.Op, len(part))
		for i := range part {
			ops[i].Document = part[i]
		}
		for _, err := range x.Apply(t.Context(), ops) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return time.Since(start)
}

func withWide(c *Config) { c.Profiles = []Profile{{wide, 256}} }

// BenchmarkSearch tells what a query with 200 proposals an arm takes among 10,000
// documents with vectors of 256 dimensions.
func BenchmarkSearch(b *testing.B) {
	x := fresh(b, withWide)
	docs := corpus(10_000, 256)
	fill(b, x, docs, 500)
	for _, c := range []struct {
		name   string
		change func(*search.Query)
	}{
		{"Both", func(*search.Query) {}},
		{"Lexical", func(q *search.Query) { q.Semantic = 0 }},
		{"Semantic", func(q *search.Query) { q.Lexical = 0 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 1))
			var took []time.Duration
			for b.Loop() {
				q := asked(random, docs[random.IntN(len(docs))], 200)
				c.change(&q)
				start := time.Now()
				found(b, x, q)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// BenchmarkApply tells what a document takes in batches of 500, windows included.
func BenchmarkApply(b *testing.B) {
	docs := corpus(5_000, 256)
	for b.Loop() {
		b.StopTimer()
		x := fresh(b, withWide)
		b.StartTimer()
		took := fill(b, x, docs, 500)
		b.ReportMetric(float64(took.Microseconds())/float64(len(docs)), "us/document")
	}
}
