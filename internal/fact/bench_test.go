package fact

import (
	"context"
	"fmt"
	"sync"
	"testing"

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

// BenchmarkSave is one writer after another at so many facts of one agent: the write at
// 100,000 must be no slower than one and a half times the write at 100.
func BenchmarkSave(b *testing.B) {
	for _, n := range []int{100, 99_000} {
		b.Run(fmt.Sprint("at ", n), func(b *testing.B) {
			w := onDisk(b)
			w.Most = 1_000_000 // the loop goes on beyond the limit
			run := w.as("")
			w.load(run, "companies/%d/notes", n)
			i := 0
			for b.Loop() {
				i++
				if _, err := w.Save(context.Background(), run, draft("companies/7/notes", fmt.Sprintf(sentence, i))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
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
