package fact

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"holdfast/internal/store/boltstore"
)

// onDisk is a workspace over the embedded store.
func onDisk(b *testing.B) *world {
	b.Helper()
	s, err := boltstore.Open(boltstore.Options{Path: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	fill(b, s)
	return worldOver(b, s)
}

const sentence = "The harbour office moved crate %d from the old shed to the north quay, where Odile keeps the winter ropes."

// load saves n facts below a path with many writers.
func (w *world) load(run Target, path string, n int) {
	w.t.Helper()
	var group sync.WaitGroup
	const writers = 64
	for writer := range writers {
		group.Go(func() {
			for i := writer; i < n; i += writers {
				d := draft(fmt.Sprintf(path, i%97), fmt.Sprintf(sentence, i), tagged("quay"))
				if _, err := w.Save(context.Background(), run, d); err != nil {
					w.t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkSave is a write at 100 facts of one agent and one at 99,000, taking turns so
// that what disturbs the disk disturbs both: the second must be no slower than one and a
// half times the first.
func BenchmarkSave(b *testing.B) {
	small, large := loaded(b, 100), loaded(b, 99_000)
	var took [2]time.Duration
	n := 0
	for b.Loop() {
		n++
		for i, one := range []*loadedWorld{small, large} {
			began := time.Now()
			if _, err := one.Save(context.Background(), one.run, draft("companies/7/notes", fmt.Sprintf(sentence, n))); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(began)
		}
	}
	b.ReportMetric(float64(took[0].Microseconds())/float64(n), "us/write-at-100")
	b.ReportMetric(float64(took[1].Microseconds())/float64(n), "us/write-at-99000")
	b.ReportMetric(float64(took[1])/float64(took[0]), "times")
}

// loadedWorld is an agent's memory of so many facts.
type loadedWorld struct {
	*world
	run Target
}

func loaded(b *testing.B, n int) *loadedWorld {
	w := onDisk(b)
	w.Most = 1_000_000 // the loop goes on beyond the limit
	one := &loadedWorld{w, w.as("")}
	w.load(one.run, "companies/%d/notes", n)
	return one
}

// BenchmarkEraseUser takes an end user with 5,000 facts: from the call until no row is
// left but tombstones. It must take less than two seconds.
func BenchmarkEraseUser(b *testing.B) {
	w := onDisk(b)
	run := w.as("anna")
	for b.Loop() {
		b.StopTimer()
		w.load(run, "users/anna/%d", 5000)
		b.StartTimer()
		if _, err := w.EraseUser(context.Background(), w.panel("desk"), "anna"); err != nil {
			b.Fatal(err)
		}
		w.work()
	}
}

// BenchmarkList reads the newest fifty of 10,000.
func BenchmarkList(b *testing.B) {
	w := onDisk(b)
	run := w.as("anna")
	w.load(run, "companies/%d/notes", 10_000)
	for b.Loop() {
		page, err := w.List(context.Background(), run, Filter{}, DefaultLimit, "")
		if err != nil || len(page.Facts) != DefaultLimit {
			b.Fatal(len(page.Facts), err)
		}
	}
}
