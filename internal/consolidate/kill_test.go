package consolidate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/consolidate"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// dying is the store of a process that dies at its n-th call, before or after that
// has its effect: no later call reaches the table.
type dying struct {
	store.Store
	mu    sync.Mutex
	at    int // 0: never
	after bool
	calls int
}

var errKilled = errors.New("killed")

func (d *dying) call(do func() error) error {
	d.mu.Lock()
	d.calls++
	last, dead := d.calls == d.at, d.at > 0 && d.calls >= d.at
	d.mu.Unlock()
	if !dead || last && d.after {
		if err := do(); err != nil || !dead {
			return err
		}
	}
	return errKilled
}

func (d *dying) Get(ctx context.Context, key store.Key) (item store.Item, found bool, err error) {
	err = d.call(func() error { item, found, err = d.Store.Get(ctx, key); return err })
	return item, found, err
}

func (d *dying) GetMany(ctx context.Context, keys []store.Key) (items []*store.Item, err error) {
	err = d.call(func() error { items, err = d.Store.GetMany(ctx, keys); return err })
	return items, err
}

func (d *dying) Query(ctx context.Context, q store.Query) (page store.Page, err error) {
	err = d.call(func() error { page, err = d.Store.Query(ctx, q); return err })
	return page, err
}

func (d *dying) Commit(ctx context.Context, tx store.Tx) error {
	return d.call(func() error { return d.Store.Commit(ctx, tx) })
}

// scene is a run of two subjects, with what is known, rejected and held.
func (w *world) scene() {
	w.know("The archive closes at six.")
	wrong := w.know("The archive is in Porto.")
	if _, err := w.Memories.Update(context.Background(), w.as(reviewer), memory.Revision{ID: wrong, Content: "The archive is in Faro."}); err != nil {
		w.t.Fatal(err)
	}
	w.say("run-1", "The archive closes at six.")
	w.say("run-1", "The archive is in Porto.")
	w.say("run-1", hostile)
	w.say("run-1", "Ida likes the window seat.", ofUser("ida"))
	w.say("run-1", "Decision: the archive gets a ramp.", ofType("decision"))
}

// state is what there is when all is over, whatever ids and times.
func (w *world) state() string {
	var lines []string
	for _, m := range w.list(memory.Filter{}) {
		lines = append(lines, fmt.Sprintf("%s %s %q %s of %q, %d merged, %d sources, %d parts",
			m.Layer, m.Type, m.Content, m.Status, m.Subject.UserID, m.MergeCount, len(m.Provenance.Sources), len(m.Parts)))
	}
	st := w.stretch("run-1", 1)
	r := w.run("run-1")
	slices.Sort(lines)
	return fmt.Sprintf("%s\n%s %v, %d episodes, %d summaries, goal %q\nopen %d, cleared %d, busy %d", strings.Join(lines, "\n"),
		st.State, st.Counts, len(st.Episodes), len(st.Summaries), st.Goal, r.Open, r.Cleared, r.Busy)
}

// whole holds what must be true of the rows at the end.
func (w *world) whole(t *testing.T) {
	t.Helper()
	v, err := ledger.Log{Store: w.Store}.Verify(t.Context(), scope, 0, 0)
	if err != nil || v.Break != nil {
		t.Errorf("chain %+v, %v", v, err)
	}
	items, stones, erasures := int64(0), 0, 0
	scanner := w.Store.(store.Scanner)
	err = scanner.Scan(t.Context(), func(item store.Item) error {
		if strings.HasPrefix(item.Key.SK, "W#") {
			t.Errorf("staged: %s", item.Key.SK)
		}
		if strings.Contains(item.Key.PK, "#X#") {
			erasures++
		}
		if !strings.Contains(item.Key.PK, "#M#") || item.Key.SK != "HEAD" {
			return nil
		}
		m, err := memory.Decode(item)
		if err == nil && m.IsDeleted() {
			stones++
		} else {
			items++
		}
		return err
	})
	head, rerr := ledger.ReadHead(t.Context(), w.Store, scope)
	if err != nil || rerr != nil || head.Items != items || stones != 4 || erasures != 4 {
		t.Errorf("%d items, counted %d, %d tombstones, %d erasures, %v, %v", items, head.Items, stones, erasures, err, rerr)
	}
	if jobs := w.jobs(); len(jobs) != 0 {
		t.Errorf("jobs %+v", jobs)
	}
}

func (w *world) ask() error {
	_, err := w.Consolidate(context.Background(), keyed(w.as(agent), "k", "{}"), consolidate.Ask{RunID: "run-1", Goal: "open the archive"})
	return err
}

// ended is the state after a consolidation that met no fault, and how many store
// calls it took.
func ended(t *testing.T) (string, int) {
	t.Helper()
	d := &dying{Store: filled(t)}
	w := worldOver(t, d, clock.NewFixed(start))
	w.scene()
	d.calls = 0
	if err := w.ask(); err != nil {
		t.Fatal(err)
	}
	w.work()
	calls := d.calls
	w = worldOver(t, d.Store, w.clock)
	w.whole(t)
	return w.state(), calls
}

// A process that dies at any store call of a consolidation is followed by one that
// goes on there: nothing is made twice, nothing is lost.
func TestT40AKillAtAnyStepHasOneEffect(t *testing.T) {
	t.Parallel()
	want, calls := ended(t)
	t.Logf("%d store calls; the state at the end:\n%s", calls, want)
	for _, after := range []bool{false, true} {
		for at := 1; at <= calls; at++ {
			t.Run(fmt.Sprintf("after=%v/%d", after, at), func(t *testing.T) {
				raw, c := filled(t), clock.NewFixed(start)
				worldOver(t, raw, c).scene()
				d := &dying{Store: raw, at: at, after: after}
				first := worldOver(t, d, c)
				if err := first.ask(); err == nil {
					first.tryToWork() // it dies in the sweep
				}
				c.Advance(lease + held)
				w := worldOver(t, raw, c)
				if err := w.ask(); err != nil {
					t.Fatal(err)
				}
				w.work()
				w.whole(t)
				if got := w.state(); got != want {
					t.Errorf("ended as\n%s\nnot as\n%s", got, want)
				}
			})
		}
	}
}

// Without the client's second call a worker ends what was begun.
func TestT40AWorkerEndsWhatACallBegan(t *testing.T) {
	want, calls := ended(t)
	sealed := 0
	for at := 1; at <= calls; at += 3 {
		raw, c := filled(t), clock.NewFixed(start)
		worldOver(t, raw, c).scene()
		if err := worldOver(t, &dying{Store: raw, at: at, after: true}, c).ask(); err == nil {
			break // what is left is the worker's anyway
		}
		c.Advance(lease + held)
		w := worldOver(t, raw, c)
		if w.run("run-1").Open == 1 {
			continue // nothing was begun
		}
		sealed++
		if _, err := w.Runner.Sweep(t.Context()); err != nil || len(w.queue.all) != 1 {
			t.Fatalf("killed at %d: the sweep sent %v, %v", at, w.queue.all, err)
		}
		w.work()
		w.whole(t)
		if got := w.state(); got != want {
			t.Errorf("killed at %d: ended as\n%s\nnot as\n%s", at, got, want)
		}
	}
	if sealed < 10 {
		t.Errorf("only %d begun", sealed)
	}
}

// tryToWork runs the jobs once, in a process that meets a fault or dies: the queue
// brings what fails again.
func (w *world) tryToWork() {
	jobs, _, err := w.Runner.List(context.Background(), scope, "", 100, "")
	for _, job := range jobs {
		err = errors.Join(err, consolidate.Worker{Service: w.Service}.Run(context.Background(), scope, job.ID))
	}
	if err != nil {
		w.t.Log(err)
	}
}

// A fault at any store call, after which the process lives on.
func TestT17AFaultedConsolidationHasOneEffect(t *testing.T) {
	t.Parallel()
	want, _ := ended(t)
	var raw store.Store
	c := clock.NewFixed(start)
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		c = clock.NewFixed(start)
		raw = filled(t)
		worldOver(t, raw, c).scene()
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		w := worldOver(t, s, c)
		for range 3 {
			if err := w.ask(); err == nil {
				break
			}
			c.Advance(lease + held)
		}
		w.tryToWork()
		s.Disarm()
		w = worldOver(t, raw, c)
		c.Advance(lease + held)
		w.work()
		w.whole(t)
		if got := w.state(); got != want {
			t.Errorf("ended as\n%s\nnot as\n%s", got, want)
		}
	})
}
