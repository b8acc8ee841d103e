package memwords

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

var benchScope = tenant.Grant("tenant", "workspace")

// corpus makes facts of about 25 words whose frequencies fall as those of a language do
// (Zipf), ten a folder, with one or two tags.
func corpus(n int) []words.Op {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.15, 8, 30000)
	ops := make([]words.Op, n)
	for i := range ops {
		ops[i] = words.Op{Document: words.Document{
			Scope: benchScope, Space: "desk", ID: fmt.Sprintf("m_%026d", i), Sequence: int64(i + 1), Updated: start.Add(time.Duration(i) * time.Second),
			Path: fmt.Sprintf("companies/%d/", i/10), Tags: []string{"kind:company", "note"}[:1+i%2], Text: sentence(zipf, 25),
		}}
	}
	return ops
}

func sentence(zipf *rand.Zipf, n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "%s ", spell(zipf.Uint64()))
	}
	return b.String()
}

// spell writes a number with letters, so that words begin with any of twenty.
func spell(n uint64) string {
	out := []byte{}
	for m := n; m > 0 || len(out) == 0; m /= 20 {
		out = append(out, "bcdfghjklmnpqrtvwxyz"[m%20])
	}
	return string(append(out, "aeiou"[n%5], 'n'))
}

func filled(tb testing.TB, n int) *Index {
	tb.Helper()
	x := New(clock.NewFixed(start))
	for _, err := range x.Apply(tb.Context(), corpus(n)) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return x
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkApply tells the time and the memory of an index, a fact.
func BenchmarkApply(b *testing.B) {
	const n = 100_000
	ops := corpus(n)
	for b.Loop() {
		b.StopTimer()
		before := heap()
		b.StartTimer()
		x := New(clock.NewFixed(start))
		x.Apply(b.Context(), ops)
		b.StopTimer()
		b.ReportMetric(float64(heap()-before)/n, "B/fact")
		runtime.KeepAlive(x)
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/n, "us/fact")
}

// BenchmarkReplace tells what another version of a fact costs among many and few.
func BenchmarkReplace(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, ops := filled(b, n), corpus(n)
			sequence := int64(n)
			for b.Loop() {
				sequence++
				op := ops[int(sequence*7919)%n]
				op.Document.Sequence = sequence
				x.Apply(b.Context(), []words.Op{op})
			}
		})
	}
}

// BenchmarkSearch asks 100,000 facts of one space for common and rare words, beginnings
// of one letter, and within the reach of a run.
func BenchmarkSearch(b *testing.B) {
	x := filled(b, 100_000)
	for _, c := range []struct {
		name, text string
		change     func(*words.Query)
	}{
		{"common", spell(1), func(*words.Query) {}},
		{"rare", spell(25_000), func(*words.Query) {}},
		{"letter", "b", func(*words.Query) {}},
		{"six", strings.Join([]string{spell(3), spell(25), spell(90), spell(300), spell(1000), spell(7000)}, " "), func(*words.Query) {}},
		{"letters", "b c d f g h", func(*words.Query) {}},
		{"border", "b", func(q *words.Query) { q.Under, q.Not = []string{"", "users/anna/"}, []string{"users/"} }},
		{"folder", "b", func(q *words.Query) { q.Under = []string{"companies/77/"} }},
		{"tags", "b", func(q *words.Query) { q.Tags = []string{"note"} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := words.Query{Scope: benchScope, Space: "desk", Under: []string{""}, Words: words.Terms(c.text), Limit: 50}
			c.change(&q)
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				if _, err := x.Search(b.Context(), q); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
