package memsearch

import (
	"runtime"
	"testing"
	"time"

	"holdfast/internal/search"
)

// What a search of both arms for 200 hits each may allocate, numbers included: its
// answer takes 40 KB of it.
const (
	budgetAllocations = 40
	budgetBytes       = 64 << 10
)

// A search allocates for its answer, not for the corpus: as much at ten times as many
// documents.
func TestASearchAllocatesWithinItsBudget(t *testing.T) {
	q := benchQuery()
	q.Now, q.Tallies = time.Unix(1, 0), []search.Tally{{Over: true}, {}, {Filter: q.Filter}}
	var before float64
	for _, n := range []int{1000, 10_000} {
		x := filled(t, n)
		ask := func() {
			if _, err := x.Search(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		allocations, bytes := allocated(ask)
		if allocations > budgetAllocations || bytes > budgetBytes {
			t.Errorf("%d documents: %.0f allocations of %.0f bytes, at most %d of %d are allowed", n, allocations, bytes, budgetAllocations, budgetBytes)
		}
		if before > 0 && bytes > 1.1*before {
			t.Errorf("%d documents: %.0f bytes, with a tenth of them %.0f", n, bytes, before)
		}
		before = bytes
	}
}

// allocated is what a call allocates once it is warm, the mean of many.
func allocated(call func()) (allocations, bytes float64) {
	const calls = 50
	for range 3 {
		call()
	}
	var from, to runtime.MemStats
	runtime.ReadMemStats(&from)
	for range calls {
		call()
	}
	runtime.ReadMemStats(&to)
	return float64(to.Mallocs-from.Mallocs) / calls, float64(to.TotalAlloc-from.TotalAlloc) / calls
}
