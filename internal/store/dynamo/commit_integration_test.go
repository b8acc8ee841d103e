//go:build integration

package dynamo_test

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// counting counts the commits that are tried.
type counting struct {
	store.Store
	tries *atomic.Int64
}

// Commit counts and commits.
func (c counting) Commit(ctx context.Context, tx store.Tx) error {
	c.tries.Add(1)
	return c.Store.Commit(ctx, tx)
}

// writers are several writers of one workspace: in one process they share a lane, in
// several they meet at the workspace's head row.
type writers struct {
	store store.Store
	scope tenant.Scope
	each  []*commit.Committer // one a writer
	names *ids.Source
	tries atomic.Int64
}

func newWriters(t testing.TB, n int, oneProcess bool) *writers {
	t.Helper()
	w := &writers{store: open(t), names: ids.NewSource(clock.System{}.Now, nil)}
	w.scope = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")
	for i := range n {
		if i > 0 && oneProcess {
			w.each = append(w.each, w.each[0])
			continue
		}
		w.each = append(w.each, commit.New(commit.Config{
			Store: counting{w.store, &w.tries}, Clock: clock.System{}, IDs: ids.NewSource(clock.System{}.Now, nil),
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}))
	}
	return w
}

// write makes one item by one writer: rows of a size that a memory has.
func (w *writers) write(ctx context.Context, writer int) error {
	name := w.names.New()
	item := store.Item{Key: keys.Memory(w.scope, name), Attrs: store.Attrs{
		"kind": store.S("note"), "version": store.N(1), "hash": store.B(make([]byte, 32)),
		"text": store.S("the ferry of the northern line leaves at a quarter past six"),
	}}
	_, err := w.each[writer].Do(ctx, commit.Write{Scope: w.scope, Actor: ledger.Actor{KeyID: "k", Kind: "agent"},
		Plan: func(context.Context, commit.Operation) (commit.Plan, error) {
			return commit.Plan{
				Actions: []store.Action{store.PutItem("item", item, store.IfAbsent())},
				Entries: []ledger.Entry{{Op: ledger.Create, Family: "memory", ItemID: name, Version: 1}},
				Items:   1, Bytes: 100, Result: []byte(`{}`),
			}, nil
		}})
	return err
}

// all makes total items by all writers at once, and answers the first error.
func (w *writers) all(ctx context.Context, total int) error {
	var next atomic.Int64
	failed := make(chan error, len(w.each))
	var running sync.WaitGroup
	for writer := range w.each {
		running.Go(func() {
			for next.Add(1) <= int64(total) {
				if err := w.write(ctx, writer); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	running.Wait()
	close(failed)
	return <-failed
}

func (w *writers) verify(t testing.TB, rows int) {
	t.Helper()
	v, err := ledger.Log{Store: w.store}.Verify(t.Context(), w.scope, 0, 0)
	if err != nil || v.Break != nil || v.Checked != int64(rows) {
		t.Fatalf("chain: %+v, break %+v, %v; want %d rows", v, v.Break, err, rows)
	}
}

func TestWritersOfSeveralProcessesMakeOneGapFreeChain(t *testing.T) {
	const items = 80
	w := newWriters(t, 8, false)
	if err := w.all(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	w.verify(t, items)
}

// BenchmarkCommit is a write through internal/commit: item, head, log row and
// operation row in one transaction, when writers share a process and when they do not.
func BenchmarkCommit(b *testing.B) {
	for _, c := range []struct {
		name       string
		writers    int
		oneProcess bool
	}{
		{"one writer", 1, true}, {"8 writers in one process", 8, true}, {"8 processes", 8, false}, {"16 processes", 16, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newWriters(b, c.writers, c.oneProcess)
			b.ResetTimer()
			if err := w.all(b.Context(), b.N); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
			b.ReportMetric(float64(w.tries.Load())/float64(b.N), "tries/commit")
			b.StopTimer()
			w.verify(b, b.N)
		})
	}
}
