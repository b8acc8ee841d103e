package commit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

const tenantID = "01890000-0000-7000-8000-000000000001"

func scopeOf(n int) tenant.Scope {
	return tenant.Grant(tenantID, fmt.Sprintf("01890000-0000-7000-8000-%012d", n))
}

type world struct {
	store *memstore.Store
	clock *clock.Fixed
	c     *commit.Committer
	scope tenant.Scope
	relay *relay
}

type relay struct {
	mu   sync.Mutex
	jobs []outbox.Job
	n    int
}

func (r *relay) Committed(_ tenant.Scope, _ bool, jobs []outbox.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	r.jobs = append(r.jobs, jobs...)
}

func newWorld(wrap func(store.Store) store.Store) *world {
	w := &world{store: memstore.New(), clock: clock.NewFixed(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)),
		scope: scopeOf(1), relay: &relay{}}
	s := store.Store(w.store)
	if wrap != nil {
		s = wrap(s)
	}
	w.c = commit.New(commit.Config{
		Store: s, Clock: w.clock, IDs: ids.NewSource(w.clock.Now, nil), Relay: w.relay,
		Log:  slog.New(slog.NewTextHandler(io.Discard, nil)),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	return w
}

func itemKey(s tenant.Scope, name string) store.Key { return keys.Memory(s, name) }

// create plans an item that must be new.
func create(s tenant.Scope, name string) commit.Write {
	return commit.Write{Scope: s, Actor: ledger.Actor{KeyID: "k", Kind: "agent"},
		Plan: func(context.Context, commit.Operation) (commit.Plan, error) {
			return commit.Plan{
				Actions: []store.Action{store.PutItem("item", store.Item{Key: itemKey(s, name)}, store.IfAbsent())},
				Entries: []ledger.Entry{{Op: ledger.Create, Family: "memory", ItemID: name, Version: 1, Recall: true}},
				Items:   1, Bytes: 10, Result: []byte(`{"id":"` + name + `"}`),
			}, nil
		}}
}

// add plans one more on a counter row, as a writer that reads before it writes.
func add(s store.Store, scope tenant.Scope, name string) commit.Write {
	return commit.Write{Scope: scope, Plan: func(ctx context.Context, _ commit.Operation) (commit.Plan, error) {
		item, found, err := s.Get(ctx, itemKey(scope, name))
		if err != nil {
			return commit.Plan{}, err
		}
		cond := store.IfAbsent()
		if found {
			cond = store.IfEqual("n", item.Attrs["n"])
		}
		next := store.Item{Key: itemKey(scope, name), Attrs: store.Attrs{"n": store.N(item.Attrs.Int("n") + 1)}}
		return commit.Plan{
			Actions: []store.Action{store.PutItem("item", next, cond)},
			Entries: []ledger.Entry{{Op: ledger.Update, Family: "memory", ItemID: name, Version: item.Attrs.Int("n") + 1}},
		}, nil
	}}
}

func (w *world) verify(t *testing.T, rows int64) {
	t.Helper()
	v, err := ledger.Log{Store: w.store}.Verify(context.Background(), w.scope, 0, 0)
	if err != nil || v.Break != nil || v.Checked != rows {
		t.Fatalf("chain: %+v break %+v, %v; want %d rows", v, v.Break, err, rows)
	}
}

func TestT18ConcurrentWritersMakeOneGapFreeChain(t *testing.T) {
	w := newWorld(nil)
	const writers, each = 16, 20
	seen := make(chan int64, writers*each)
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for n := range each {
				out, err := w.c.Do(t.Context(), create(w.scope, fmt.Sprintf("i%d-%d", i, n)))
				if err != nil {
					t.Error(err)
					return
				}
				seen <- out.Sequence
			}
		})
	}
	wg.Wait()
	close(seen)
	got := map[int64]bool{}
	for s := range seen {
		got[s] = true
	}
	if len(got) != writers*each {
		t.Fatalf("%d different sequences, want %d", len(got), writers*each)
	}
	w.verify(t, writers*each)
	head, err := ledger.ReadHead(t.Context(), w.store, w.scope)
	if err != nil || head.Items != writers*each || head.Bytes != 10*writers*each {
		t.Fatalf("head %+v, %v", head, err)
	}
}

func TestT17OneBadWriteNeverFailsItsNeighbours(t *testing.T) {
	w := newWorld(nil)
	refused := errs.New(errs.Conflict, "TAKEN", "The name is taken.")
	taken := create(w.scope, "same")
	plan := taken.Plan
	taken.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		if _, found, err := w.store.Get(ctx, itemKey(w.scope, "same")); err != nil || found {
			return commit.Plan{}, errors.Join(refused, err)
		}
		return plan(ctx, op)
	}
	ws := []commit.Write{taken, create(w.scope, "a"), taken, create(w.scope, "b"), taken}
	_, failures := w.c.DoMany(t.Context(), ws)
	for i, err := range failures {
		if want := i == 2 || i == 4; (err != nil) != want {
			t.Fatalf("write %d: %v", i, err)
		}
	}
	w.verify(t, 3)
}

func TestHotRowIsPlannedAnewUntilItFits(t *testing.T) {
	w := newWorld(nil)
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			if _, err := w.c.Do(t.Context(), add(w.store, w.scope, "hot")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	item, _, err := w.store.Get(t.Context(), itemKey(w.scope, "hot"))
	if err != nil || item.Attrs.Int("n") != 40 {
		t.Fatalf("counter %d, %v", item.Attrs.Int("n"), err)
	}
	w.verify(t, 40)
}

func TestDoManyKeepsTheOrder(t *testing.T) {
	w := newWorld(nil)
	var ws []commit.Write
	for i := range 150 {
		ws = append(ws, create(w.scope, fmt.Sprintf("n%03d", i)))
	}
	outs, failures := w.c.DoMany(t.Context(), ws)
	for i, out := range outs {
		if failures[i] != nil || out.Sequence != int64(i+1) {
			t.Fatalf("write %d: sequence %d, %v", i, out.Sequence, failures[i])
		}
	}
}

func TestT15ReplayAnswersTheFirstResult(t *testing.T) {
	w := newWorld(nil)
	one := create(w.scope, "x")
	key := idem.NewKey("k", "POST", "/p", "once", []byte(`{"a":1,"b":2}`), -1)
	one.Key = &key
	first, err := w.c.Do(t.Context(), one)
	if err != nil || first.Replayed {
		t.Fatalf("first: %+v, %v", first, err)
	}
	same := idem.NewKey("k", "POST", "/p", "once", []byte(`{ "b":2, "a":1 }`), -1)
	one.Key = &same
	again, err := w.c.Do(t.Context(), one)
	if err != nil || !again.Replayed || again.OperationID != first.OperationID || string(again.Result) != string(first.Result) ||
		again.Sequence != first.Sequence {
		t.Fatalf("again: %+v, %v", again, err)
	}
	other := idem.NewKey("k", "POST", "/p", "once", []byte(`{"a":2}`), -1)
	one.Key = &other
	if _, err := w.c.Do(t.Context(), one); !errs.Is(err, errs.KeyReused) {
		t.Fatalf("other body: %v", err)
	}
	w.verify(t, 1)
	w.clock.Advance(idem.Kept)
	later := create(w.scope, "y")
	later.Key = &other
	if out, err := w.c.Do(t.Context(), later); err != nil || out.Replayed {
		t.Fatalf("after a day: %+v, %v", out, err)
	}
}

func TestT15TenCallsAtOnceWithOneKeyHaveOneEffect(t *testing.T) {
	w := newWorld(nil)
	key := idem.NewKey("k", "POST", "/p", "once", []byte(`{}`), -1)
	var wg sync.WaitGroup
	outs := make([]commit.Outcome, 10)
	for i := range outs {
		wg.Go(func() {
			one := add(w.store, w.scope, "counter")
			one.Key = &key
			var err error
			if outs[i], err = w.c.Do(t.Context(), one); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, out := range outs {
		if out.OperationID != outs[0].OperationID {
			t.Fatalf("two effects: %+v", outs)
		}
	}
	w.verify(t, 1)
}

func TestT14BudgetRefusesOpenly(t *testing.T) {
	w := newWorld(nil)
	limit := int64(25)
	var ws []commit.Write
	for i := range 4 {
		one := create(w.scope, fmt.Sprintf("b%d", i))
		plan := one.Plan
		one.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			p, err := plan(ctx, op)
			p.Budget = &limit
			return p, err
		}
		ws = append(ws, one)
	}
	_, failures := w.c.DoMany(t.Context(), ws)
	for i, err := range failures {
		if want := i >= 2; errs.Is(err, errs.Exhausted) != want {
			t.Fatalf("write %d: %v", i, err)
		}
	}
	w.verify(t, 2)
}

func TestTwoProcessesMeetAtTheHead(t *testing.T) {
	w := newWorld(nil)
	other := commit.New(commit.Config{Store: w.store, Clock: w.clock, IDs: ids.NewSource(w.clock.Now, nil),
		Log:  slog.New(slog.NewTextHandler(io.Discard, nil)),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	var wg sync.WaitGroup
	for p, c := range []*commit.Committer{w.c, other} {
		for i := range 60 {
			wg.Go(func() {
				if _, err := c.Do(t.Context(), create(w.scope, fmt.Sprintf("p%d-%d", p, i))); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	w.verify(t, 120)
}

func TestJobsAreRowsOfTheCommit(t *testing.T) {
	w := newWorld(nil)
	one := create(w.scope, "j")
	plan := one.Plan
	one.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		p, err := plan(ctx, op)
		p.Jobs = []outbox.Job{{Kind: outbox.Erase, ItemID: "j"}, {Kind: outbox.Embed, ItemID: "j"}}
		return p, err
	}
	if _, err := w.c.Do(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	jobs, _, err := (&outbox.Runner{Store: w.store, Clock: w.clock}).List(t.Context(), w.scope, "", 10, "")
	if err != nil || len(jobs) != 2 || jobs[0].State != outbox.Pending {
		t.Fatalf("%+v, %v", jobs, err)
	}
	w.relay.mu.Lock()
	defer w.relay.mu.Unlock()
	if len(w.relay.jobs) != 2 {
		t.Fatalf("the relay heard of %d jobs", len(w.relay.jobs))
	}
}

// flaky fails the n-th store call, before or after its effect.
type flaky struct {
	store.Store
	mu    sync.Mutex
	n, at int
	after bool
	err   error
}

var errDown = errors.New("down")

func (f *flaky) hit() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	return f.n == f.at
}

func (f *flaky) Get(ctx context.Context, k store.Key) (store.Item, bool, error) {
	if f.hit() {
		return store.Item{}, false, f.err
	}
	return f.Store.Get(ctx, k)
}

func (f *flaky) Commit(ctx context.Context, tx store.Tx) error {
	if f.hit() {
		if f.after {
			if err := f.Store.Commit(ctx, tx); err != nil {
				return err
			}
		}
		return f.err
	}
	return f.Store.Commit(ctx, tx)
}

func TestFaultAtEveryStoreCallHasOneEffect(t *testing.T) {
	for _, fault := range []struct {
		name  string
		err   error
		after bool
	}{{"down", errDown, false}, {"answer lost", errDown, true}, {"conflict", store.ErrConflict, false}, {"throttled", store.ErrThrottled, false}} {
		for at := 1; at <= 12; at++ {
			var f *flaky
			w := newWorld(func(s store.Store) store.Store {
				f = &flaky{Store: s, at: at, after: fault.after, err: fault.err}
				return f
			})
			key := idem.NewKey("k", "POST", "/p", "once", []byte(`{}`), -1)
			one := add(f, w.scope, "c")
			one.Key = &key
			_, first := w.c.Do(t.Context(), one)
			out, err := w.c.Do(t.Context(), one)
			if err != nil {
				if _, err = w.c.Do(t.Context(), one); err != nil {
					t.Fatalf("%s at %d: first %v, then %v", fault.name, at, first, err)
				}
			}
			item, _, err := w.store.Get(t.Context(), itemKey(w.scope, "c"))
			if err != nil || item.Attrs.Int("n") != 1 {
				t.Fatalf("%s at %d: %d effects, outcome %+v, %v", fault.name, at, item.Attrs.Int("n"), out, err)
			}
			w.verify(t, 1)
		}
	}
}

func TestACrowdOnOneRowDoesNotPlanInVain(t *testing.T) {
	w := newWorld(nil)
	const writers = 200
	var plans atomic.Int64
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			one := add(w.store, w.scope, "hot")
			plan := one.Plan
			one.Plan = func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
				plans.Add(1)
				return plan(ctx, op)
			}
			if _, err := w.c.Do(t.Context(), one); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.verify(t, writers)
	if n := plans.Load(); n > 3*writers {
		t.Fatalf("%d plans for %d writes", n, writers)
	}
}
