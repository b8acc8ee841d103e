package boltstore_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

// row is like a small memory: an id, times and a sentence of text.
func row(pk, sk string) store.Item {
	return store.Item{Key: store.Key{PK: pk, SK: sk}, Attrs: store.Attrs{
		"kind": store.S("note"), "v": store.N(1), "at": store.N(1_893_456_000_000), "open": store.T(true),
		"text": store.S("the harbour master keeps the spare key behind the third lamp"),
		"hash": store.B(make([]byte, 32)),
	}}
}

func fill(b *testing.B, s *boltstore.Store, partitions, rows int) {
	b.Helper()
	for p := range partitions {
		for n := 0; n < rows; n += store.MaxActions {
			var tx store.Tx
			for i := n; i < min(rows, n+store.MaxActions); i++ {
				tx.Actions = append(tx.Actions, store.PutItem("", row(partitionName(p), fmt.Sprintf("%016d", i)), nil))
			}
			if err := s.Commit(b.Context(), tx); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func partitionName(p int) string {
	return fmt.Sprintf("01890000-0000-7000-8000-%012d#01890000-0000-7000-8000-%012d#M#01890000", p%3, p)
}

func BenchmarkCommitAlone(b *testing.B) {
	s := open(b, boltstore.Options{})
	n := 0
	for b.Loop() {
		n++
		tx := store.Tx{Actions: []store.Action{store.PutItem("new", row("p", fmt.Sprint(n)), store.IfAbsent())}}
		if err := s.Commit(b.Context(), tx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommitGroup is 100 callers with 10 actions a commit, as a write of a
// memory has.
func BenchmarkCommitGroup(b *testing.B) {
	const callers, actions = 100, 10
	s := open(b, boltstore.Options{})
	fill(b, s, 20, 1000)
	var commits atomic.Int64
	b.SetParallelism(callers / 2)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n := commits.Add(1)
			if err := s.Commit(context.Background(), tenActions(n, actions)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(b.N)/seconds, "commits/s")
	b.ReportMetric(float64(b.N*actions)/seconds, "items/s")
}

func tenActions(n int64, actions int) store.Tx {
	tx := store.Tx{Actions: make([]store.Action, 0, actions)}
	for i := range actions {
		pk := partitionName(int(n)*7+i) + fmt.Sprint(n)
		tx.Actions = append(tx.Actions, store.PutItem("new", row(pk, "HEAD"), store.IfAbsent()))
	}
	return tx
}

func BenchmarkGet(b *testing.B) {
	s := open(b, boltstore.Options{NoSync: true})
	fill(b, s, 10, 1000)
	n := 0
	for b.Loop() {
		n++
		key := store.Key{PK: partitionName(n % 10), SK: fmt.Sprintf("%016d", n%1000)}
		if _, found, err := s.Get(b.Context(), key); !found || err != nil {
			b.Fatal(found, err)
		}
	}
}

func BenchmarkGetMany60(b *testing.B) {
	s := open(b, boltstore.Options{NoSync: true})
	fill(b, s, 10, 1000)
	keys := make([]store.Key, 60)
	for i := range keys {
		keys[i] = store.Key{PK: partitionName(i % 10), SK: fmt.Sprintf("%016d", i*16)}
	}
	for b.Loop() {
		items, err := s.GetMany(b.Context(), keys)
		if err != nil || items[59] == nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery100(b *testing.B) {
	s := open(b, boltstore.Options{NoSync: true})
	fill(b, s, 10, 1000)
	for b.Loop() {
		page, err := s.Query(b.Context(), store.Query{PK: partitionName(3), Limit: 100, Desc: true})
		if err != nil || len(page.Items) != 100 {
			b.Fatal(len(page.Items), err)
		}
	}
}

// BenchmarkScanUnwanted walks 100,000 rows and wants none.
func BenchmarkScanUnwanted(b *testing.B) {
	s := open(b, boltstore.Options{NoSync: true})
	fill(b, s, 100, 1000)
	for b.Loop() {
		err := s.ScanKeys(b.Context(), func(store.Key) bool { return false }, func(store.Item) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
