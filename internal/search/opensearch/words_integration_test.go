//go:build integration

package opensearch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search/words"
	"holdfast/internal/search/words/memwords"
	"holdfast/internal/search/words/wordstest"
)

// freshWords makes an index of its own on the node and drops it afterwards.
func freshWords(t testing.TB) *Words {
	t.Helper()
	indexes++
	name := fmt.Sprintf("suite-%d-%d", os.Getpid(), indexes)
	x, err := NewWords(Config{
		URL: os.Getenv("HOLDFAST_TEST_OPENSEARCH_URL"), Index: name + "-v1", Alias: name, Refresh: 10 * time.Millisecond,
		Patience: 10 * time.Second, Timeout: 5 * time.Minute, // as fresh has it
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, path := range []string{"/" + x.index, "/_index_template/" + x.family()} {
			if err := do(context.Background(), &x.engine, request{method: http.MethodDelete, path: path}, nothing); err != nil {
				t.Error(err)
			}
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func TestWordsConformance(t *testing.T) {
	wordstest.Run(t, func(t *testing.T) words.Index { return freshWords(t) })
}

// factCorpus makes facts of 25 words whose frequencies fall as those of a language do.
func factCorpus(n int) []words.Document {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.15, 8, 30000)
	docs := make([]words.Document, n)
	for i := range docs {
		var text strings.Builder
		for range 5 + random.IntN(40) {
			text.WriteString(spelled(zipf.Uint64()) + " ")
		}
		path := fmt.Sprintf("companies/%d/", i/10)
		if i%7 == 0 {
			path = []string{"users/anna/", "users/ben/"}[i%2]
		}
		docs[i] = words.Document{Scope: talkScope, Space: "desk", ID: fmt.Sprintf("m_%06d", i), Sequence: int64(i + 1),
			Updated: time.Unix(int64(i/50), 0), Path: path, Tags: []string{"note"}, Text: text.String()}
	}
	return docs
}

// spelled writes a number with letters.
func spelled(n uint64) string {
	out := []byte{}
	for m := n; m > 0 || len(out) == 0; m /= 20 {
		out = append(out, "bcdfghjklmnpqrtvwxyz"[m%20])
	}
	return string(append(out, "aeiou"[n%5], 'n'))
}

// Both engines answer the same hits in the same order with the same scores.
func TestWordsAgreeWithTheEmbeddedEngine(t *testing.T) {
	x, embedded := freshWords(t), memwords.New(clock.NewFixed(time.Unix(0, 0)))
	docs := factCorpus(3000)
	fillWords(t, x, docs)
	fillWords(t, embedded, docs)
	for _, text := range []string{"b", "b c d", spelled(1), spelled(2) + " " + spelled(900), spelled(25_000), "zz", spelled(3) + " b g kx " + spelled(77)} {
		q := words.Query{Scope: talkScope, Space: "desk", Under: []string{"", "users/anna/"}, Not: []string{"users/"}, Words: words.Terms(text), Limit: 50}
		got, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := embedded.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Hits, want.Hits) || !slices.Equal(got.Statistics.DF, want.Statistics.DF) {
			t.Errorf("%q:\n got %+v\nwant %+v", text, got, want)
		}
	}
}

func fillWords(t testing.TB, x words.Index, docs []words.Document) {
	t.Helper()
	for part := range slices.Chunk(docs, 1000) {
		ops := make([]words.Op, len(part))
		for i := range part {
			ops[i].Document = part[i]
		}
		for _, err := range x.Apply(t.Context(), ops) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// BenchmarkWords asks 100,000 facts of one space.
func BenchmarkWords(b *testing.B) {
	x := freshWords(b)
	fillWords(b, x, factCorpus(100_000))
	for name, text := range map[string]string{
		"common": spelled(1), "rare": spelled(25_000), "letter": "b", "six": fmt.Sprint(spelled(3), " ", spelled(25), " ", spelled(90), " ", spelled(300), " ", spelled(1000), " ", spelled(7000)),
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			q := words.Query{Scope: talkScope, Space: "desk", Under: []string{"", "users/anna/"}, Not: []string{"users/"}, Words: words.Terms(text), Limit: 20}
			for b.Loop() {
				begun := time.Now()
				if _, err := x.Search(b.Context(), q); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
