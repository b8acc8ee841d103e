//go:build integration

package opensearch

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/searchtest"
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

// BenchmarkLongQuery asks both arms queries of 2,000 characters beside an ordinary one.
func BenchmarkLongQuery(b *testing.B) {
	x := fresh(b, withWide)
	docs := corpus(10_000, 256)
	fill(b, x, docs, 500)
	random := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(random, 1.15, 8, 20_000)
	long := func(word func(i int) string) string {
		var out strings.Builder
		for i := 0; out.Len() < searchtest.LongestQuery; i++ {
			out.WriteString(word(i) + " ")
		}
		return out.String()
	}
	for _, c := range []struct{ name, text string }{
		{"ordinary", strings.Join([]string{spell(3), spell(25), spell(90), spell(300), spell(1000), spell(7000)}, " ")},
		{"text", long(func(int) string { return spell(zipf.Uint64()) })},
		{"common", long(func(i int) string { return spell(uint64(i)) })},
		{"unknown", long(func(i int) string { return "x" + spell(uint64(i)) })},
		{"ideographs", strings.ReplaceAll(long(func(i int) string { return string(rune(0x4e00 + i)) }), " ", "")},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			q := asked(random, docs[5], 200)
			q.Text, q.Tallies = c.text, make([]search.Tally, 3)
			for b.Loop() {
				start := time.Now()
				found(b, x, q)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
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
