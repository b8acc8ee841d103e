package recall

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// What a retrieve of 20 entries out of 200 proposals an arm may allocate below the
// HTTP layer, where 80 memories are read from the table. A half of the allocations are
// made under the race detector only, where pools lose what they keep.
const (
	budgetAllocations = 7000
	budgetBytes       = 1 << 20
)

// A retrieve allocates for its answer, not for the workspace: as much beside five times
// as many memories.
func TestARetrieveAllocatesWithinItsBudget(t *testing.T) {
	var before float64
	for _, n := range []int{500, 2500} {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range n {
			w.add(benchText(r), inRun(fmt.Sprint("r", i/50)))
		}
		w.sync(here)
		ask := func() {
			w.ask("harbour keel mast rope anchor tide")
			w.index.asked, w.journal.all = w.index.asked[:0], w.journal.all[:0]
		}
		allocations, bytes := allocated(ask)
		if allocations > budgetAllocations || bytes > budgetBytes {
			t.Errorf("%d memories: %.0f allocations of %.0f bytes, at most %d of %d are allowed", n, allocations, bytes, budgetAllocations, budgetBytes)
		}
		if before > 0 && bytes > 1.1*before {
			t.Errorf("%d memories: %.0f bytes, beside a fifth of them %.0f", n, bytes, before)
		}
		before = bytes
	}
}

// allocated is what a call allocates once it is warm, the mean of many.
func allocated(call func()) (allocations, bytes float64) {
	const calls = 20
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
