package memsearch

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

var benchScope = tenant.Grant("tenant", "workspace")

// corpus makes documents of about 25 words whose frequencies fall as those of a
// language do (Zipf), in sessions of 20.
func corpus(n int) []search.Op {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.15, 8, 30000)
	ops := make([]search.Op, n)
	for i := range ops {
		ops[i] = search.Op{Document: search.Document{
			Scope: benchScope, ID: fmt.Sprintf("%08d", i), Version: 1, Sequence: int64(i + 1),
			Text: sentence(zipf, 25), Speaker: []string{"Nora", "Emil"}[i%2], Session: fmt.Sprint("s", i/20),
			Fields: search.Fields{"status": {"active"}, "run": {fmt.Sprint("r", i/20)}},
			Vector: randomVector(random, 256), Profile: "p", Times: search.Times{"since": time.Unix(int64(i), 0)},
		}}
	}
	return ops
}

func sentence(zipf *rand.Zipf, words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "%s ", spell(zipf.Uint64()))
	}
	return b.String()
}

// spell writes a number with letters.
func spell(n uint64) string {
	out := []byte{'w'}
	for ; n > 0; n /= 20 {
		out = append(out, "bcdfghjklmnpqrtvwxyz"[n%20])
	}
	return string(append(out, 'a'))
}

func randomVector(random *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(random.NormFloat64())
	}
	return out
}

func filled(b testing.TB, n int) *Index {
	b.Helper()
	x := New(clock.NewFixed(time.Unix(0, 0)))
	ops := corpus(n)
	for len(ops) > 0 {
		batch := ops[:min(1000, len(ops))]
		for _, err := range x.Apply(b.Context(), batch) {
			if err != nil {
				b.Fatal(err)
			}
		}
		ops = ops[len(batch):]
	}
	return x
}

// BenchmarkApply tells the time and the memory of building an index.
func BenchmarkApply(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		ops := corpus(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				before := heap()
				x := New(clock.NewFixed(time.Unix(0, 0)))
				for at := 0; at < n; at += 1000 {
					for _, err := range x.Apply(b.Context(), ops[at:at+1000]) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				b.StopTimer()
				b.ReportMetric(float64(heap()-before)/1e6, "MB")
				runtime.KeepAlive(x)
				b.StartTimer()
			}
		})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// benchQuery asks both arms with six words, one of them frequent.
func benchQuery() search.Query {
	q := search.Query{
		Scopes: []tenant.Scope{benchScope}, Text: "", Lexical: 200, Semantic: 200, Profile: "p",
		Vector: randomVector(rand.New(rand.NewPCG(3, 4)), 256),
		Filter: search.Filter{Field: "status", In: []string{"active"}},
	}
	for _, word := range []uint64{3, 25, 90, 300, 1000, 7000} {
		q.Text += spell(word) + " "
	}
	return q
}

// BenchmarkSearch asks both arms, and each alone; counted with the numbers that a
// retrieve asks for, timed within bounds of two times.
func BenchmarkSearch(b *testing.B) {
	q := benchQuery()
	for _, n := range []int{10_000, 100_000} {
		x := filled(b, n)
		for _, arm := range []string{"lexical", "semantic", "both", "counted", "timed"} {
			b.Run(fmt.Sprint(arm, n), func(b *testing.B) {
				q := q
				if arm == "lexical" {
					q.Semantic = 0
				}
				if arm == "semantic" {
					q.Lexical = 0
				}
				if arm == "counted" {
					q.Now, q.Tallies = time.Unix(1, 0), []search.Tally{{Over: true}, {}, {Filter: q.Filter}}
				}
				if arm == "timed" {
					q.Filter = search.Filter{All: []search.Filter{q.Filter, {Time: "since", Before: time.Unix(5000, 0)},
						{Any: []search.Filter{{Time: "until", Missing: true}, {Time: "until", Since: time.Unix(5000, 0)}}}}}
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := x.Search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
