package commit_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

// gate is a row that writers only check: how open it is.
func gate(s tenant.Scope, n int64) store.Item {
	return store.Item{Key: itemKey(s, "gate"), Attrs: store.Attrs{"n": store.N(n)}}
}

func (w *world) setGate(t testing.TB, n int64) {
	t.Helper()
	put := store.PutItem("gate", gate(w.scope, n), nil)
	if err := w.store.Commit(context.Background(), store.Tx{Actions: []store.Action{put}}); err != nil {
		t.Fatal(err)
	}
}

var errShut = errs.New(errs.Conflict, "SHUT", "The gate is shut.")

// through is create under the condition that the gate is as it was read; 0 is shut.
func (w *world) through(name string) commit.Write {
	one := create(w.scope, name)
	plan := one.Plan
	one.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		item, found, err := w.store.Get(ctx, itemKey(w.scope, "gate"))
		if err != nil {
			return commit.Plan{}, err
		}
		if found && item.Attrs.Int("n") == 0 {
			return commit.Plan{}, errShut
		}
		p, err := plan(ctx, op)
		if !found {
			p.Actions = append(p.Actions, store.PutItem("gate", gate(w.scope, 1), store.IfAbsent()))
			return p, err
		}
		p.Actions = append(p.Actions, store.CheckItem("gate", item.Key, store.IfEqual("n", item.Attrs["n"])))
		return p, err
	}
	return one
}

// counting is a store that counts commits, and calls before each.
type counting struct {
	store.Store
	commits atomic.Int64
	before  func(n int64)
}

func (c *counting) Commit(ctx context.Context, tx store.Tx) error {
	if n := c.commits.Add(1); c.before != nil {
		c.before(n)
	}
	return c.Store.Commit(ctx, tx)
}

func counted() (*world, *counting) {
	var c *counting
	w := newWorld(func(s store.Store) store.Store { c = &counting{Store: s}; return c })
	return w, c
}

func TestWritersThatCheckARowForTheSameShareATransaction(t *testing.T) {
	w, c := counted()
	w.setGate(t, 1)
	var ws []commit.Write
	for i := range 100 {
		ws = append(ws, w.through(fmt.Sprintf("n%03d", i)))
	}
	_, failures := w.c.DoMany(t.Context(), ws)
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	w.verify(t, 100)
	// Three actions a write, one check, head and mark: 32 fit. Uncounted sharing would
	// fit 24.
	if n := c.commits.Load(); n > 4 {
		t.Errorf("%d commits", n)
	}
}

// The first writers of a row each plan to make it; once one has, the others only
// check it and go together.
func TestABurstOfFirstWritersOfACheckedRowTakesTwoRounds(t *testing.T) {
	w, c := counted()
	var ws []commit.Write
	for i := range 60 {
		ws = append(ws, w.through(fmt.Sprintf("n%03d", i)))
	}
	_, failures := w.c.DoMany(t.Context(), ws)
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	w.verify(t, 60)
	if n := c.commits.Load(); n > 3 {
		t.Errorf("%d commits", n)
	}
}

func TestT17ASharedCheckThatFailsIsEveryOwnersAndNobodyElses(t *testing.T) {
	w, c := counted()
	w.setGate(t, 1)
	c.before = func(n int64) {
		if n == 1 {
			w.setGate(t, 0) // between plan and commit
		}
	}
	_, failures := w.c.DoMany(t.Context(), []commit.Write{
		w.through("a"), create(w.scope, "b"), w.through("c"), create(w.scope, "d"), w.through("e"),
	})
	for i, err := range failures {
		if owner := i%2 == 0; owner != errs.Is(err, errs.Conflict) || !owner && err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	w.verify(t, 2)
}

func TestChecksOfDifferentThingsDoNotShare(t *testing.T) {
	w := newWorld(nil)
	w.setGate(t, 1)
	checks := func(name string, cond *store.Cond) commit.Write {
		one := create(w.scope, name)
		plan := one.Plan
		one.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			p, err := plan(ctx, op)
			p.Actions = append(p.Actions, store.CheckItem("gate", itemKey(w.scope, "gate"), cond))
			return p, err
		}
		return one
	}
	_, failures := w.c.DoMany(t.Context(), []commit.Write{
		checks("a", store.IfEqual("n", store.N(1))), checks("b", store.IfExists()), checks("c", store.IfEqual("n", store.N(1))),
	})
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	w.verify(t, 3)
}

// A writer of the row between writers that check it keeps its turn.
func TestAWriterOfACheckedRowKeepsItsTurn(t *testing.T) {
	w := newWorld(nil)
	w.setGate(t, 1)
	shut := commit.Write{Scope: w.scope, Plan: func(context.Context, commit.Operation) (commit.Plan, error) {
		return commit.Plan{
			Actions: []store.Action{store.PutItem("gate", gate(w.scope, 0), nil)},
			Entries: []ledger.Entry{{Op: ledger.Update, Family: "memory", ItemID: "gate", Version: 1}},
		}, nil
	}}
	_, failures := w.c.DoMany(t.Context(), []commit.Write{w.through("a"), shut, w.through("b"), w.through("c")})
	for i, err := range failures {
		if after := i > 1; after != errs.Is(err, errs.Conflict) || !after && err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	w.verify(t, 2)
}

func TestAJobForLaterIsNotRelayed(t *testing.T) {
	w := newWorld(nil)
	one := create(w.scope, "j")
	plan := one.Plan
	one.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		p, err := plan(ctx, op)
		p.Jobs = []outbox.Job{{Kind: outbox.Erase, ItemID: "now"}, {Kind: outbox.Erase, ItemID: "later", DueAt: op.At.Add(1)}}
		return p, err
	}
	if _, err := w.c.Do(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if _, err := w.c.Do(t.Context(), create(w.scope, "after")); err != nil { // the lane has told of the first by then
		t.Fatal(err)
	}
	w.relay.mu.Lock()
	defer w.relay.mu.Unlock()
	if len(w.relay.jobs) != 1 || w.relay.jobs[0].ItemID != "now" {
		t.Errorf("relayed %+v", w.relay.jobs)
	}
}

// BenchmarkChecks is what a row that all writers check costs them: with and without.
func BenchmarkChecks(b *testing.B) {
	for _, gated := range []bool{false, true} {
		b.Run(fmt.Sprintf("gated=%v", gated), func(b *testing.B) {
			c := &counting{Store: memstore.New()}
			w := &world{clock: clock.NewFixed(newWorld(nil).clock.Now()), scope: scopeOf(1)}
			w.store = c.Store.(*memstore.Store)
			w.setGate(b, 1)
			w.c = commit.New(commit.Config{Store: c, Clock: w.clock, IDs: ids.NewSource(w.clock.Now, nil)})
			var n atomic.Int64
			b.SetParallelism(50)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					write := create(w.scope, fmt.Sprint(n.Add(1)))
					if gated {
						write = w.through(fmt.Sprint(n.Load(), "-", n.Add(1)))
					}
					if _, err := w.c.Do(context.Background(), write); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(n.Load())/float64(c.commits.Load()), "writes/commit")
		})
	}
}
