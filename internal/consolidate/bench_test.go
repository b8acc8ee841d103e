package consolidate_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/consolidate"
	"holdfast/internal/extract"
	"holdfast/internal/memory"
	"holdfast/internal/store/boltstore"
)

// BenchmarkConsolidate10000 is a run of 10,000 entries of 120 characters, every fifth
// of them worth keeping, consolidated and swept on the embedded engine with its
// writes on disk. It tells how much the heap grew at most.
func BenchmarkConsolidate10000(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s, err := boltstore.Open(boltstore.Options{Path: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		secret(b, s)
		w := worldOver(b, s, clock.NewFixed(start))
		w.Patience = time.Hour
		w.model.change = everyFifth
		w.fill(10_000)
		peak := watch()
		b.StartTimer()
		if _, err := w.consolidate(consolidate.Ask{RunID: "run-1"}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(b.Elapsed().Seconds(), "s-to-cleared")
		w.work()
		b.StopTimer()
		b.ReportMetric(peak(), "MB-above-idle")
		if n := len(w.derived()); n != 2000 || w.model.largest > 100 {
			b.Fatalf("%d derived, batches of %d", n, w.model.largest)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func everyFifth(r *extract.Result) {
	kept := r.Statements[:0]
	for n, s := range r.Statements {
		if n%5 == 0 {
			kept = append(kept, s)
		}
	}
	r.Statements = kept
}

// fill says many things in one run.
func (w *world) fill(n int) {
	w.t.Helper()
	for at := 0; at < n; at += memory.MaxItems {
		w.clock.Advance(time.Second)
		var items []memory.Item
		for i := range memory.MaxItems {
			text := fmt.Sprintf("The harbour office moved crate %d from the old shed to the north quay, where Odile keeps the ropes and anchors.", at+i)
			items = append(items, memory.Item{Target: w.as(agent),
				Draft: memory.Draft{Layer: "Session", Type: "fact", Content: text, RunID: ptr("run-1")}})
		}
		_, faults := w.Memories.AppendMany(context.Background(), items)
		for _, err := range faults {
			if err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// watch samples the heap and answers, when it is asked, its greatest growth in MB.
func watch() func() float64 {
	heap := func() float64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapInuse+m.StackInuse) / (1 << 20)
	}
	runtime.GC()
	base, most := heap(), 0.0
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticks := time.NewTicker(20 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				most = max(most, heap()-base)
			case <-stop:
				return
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-done
		return most
	}
}
