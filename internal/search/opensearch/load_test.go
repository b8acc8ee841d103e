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

// TestLatencies logs what the adapter takes at 10,000 documents.
func TestLatencies(t *testing.T) {
	x := fresh(t, withWide)
	docs := corpus(10_000, 256)
	t.Logf("indexing 10,000 documents in batches of 500: %v", fill(t, x, docs, 500))
	for _, c := range []struct {
		name   string
		change func(*search.Query)
	}{
		{"both arms", func(*search.Query) {}},
		{"lexical", func(q *search.Query) { q.Semantic = 0 }},
		{"semantic", func(q *search.Query) { q.Lexical = 0 }},
	} {
		random := rand.New(rand.NewPCG(1, 1))
		var took []time.Duration
		for range 300 {
			q := asked(random, docs[random.IntN(len(docs))], 200)
			c.change(&q)
			start := time.Now()
			answer, err := x.Search(t.Context(), q)
			took = append(took, time.Since(start))
			if err != nil || answer.LexicalErr != nil || answer.SemanticErr != nil {
				t.Fatal(err, answer.LexicalErr, answer.SemanticErr)
			}
		}
		took = took[100:]
		slices.Sort(took)
		t.Logf("%s: p50 %v, p95 %v", c.name, took[len(took)/2], took[len(took)*95/100])
	}
}
