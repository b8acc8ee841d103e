package consolidate_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/consolidate"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
)

// pass runs the scheduled worker after some time, and the jobs that it leaves.
func (w *world) pass(d time.Duration) int {
	w.t.Helper()
	w.clock.Advance(d)
	n, err := consolidate.Idle{Service: w.Service}.Run(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, job := range w.jobs() {
		if err := (consolidate.Worker{Service: w.Service}).Run(context.Background(), scope, job.ID); err != nil {
			w.t.Fatal(err)
		}
	}
	return n
}

func (w *world) visit(runID string) {
	w.t.Helper()
	if _, err := w.visits.Visit(context.Background(), scope, runID); err != nil {
		w.t.Fatal(err)
	}
}

func idleWorld(t *testing.T, seconds int) *world {
	w := newWorld(t)
	w.workspace.Settings.IdleSeconds = seconds
	return w
}

func TestS068R050AnIdleRunIsConsolidatedAndABusyOneIsNot(t *testing.T) {
	w := idleWorld(t, 120)
	idle := w.say("run-1", "Decision: the bell is cast in bronze.")
	busy := w.say("run-2", "Decision: the tower gets a clock.")
	w.pass(70 * time.Second)
	w.visit("run-2")
	if n := w.pass(70 * time.Second); n != 1 {
		t.Errorf("%d sealed", n)
	}
	w.gone(idle)
	w.there(busy)
	if len(w.episodes()) != 1 {
		t.Errorf("%d episodes", len(w.episodes()))
	}
	w.pass(130 * time.Second)
	w.gone(busy)
}

// However the visits fall, no run is consolidated before its idle time is over, and
// none later than a tenth of it and the worker's interval.
func TestR050NeverEarlierThanTheIdleTime(t *testing.T) {
	const idle = 100 * time.Second
	for gap := 1; gap <= 25; gap += 3 {
		w := idleWorld(t, int(idle.Seconds()))
		id := w.say("run-1", "The tower gets a clock.")
		last := w.clock.Now()
		for range 30 {
			w.pass(time.Duration(gap) * time.Second)
			w.visit("run-1")
			last = w.clock.Now()
		}
		w.there(id)
		for w.run("run-1").Open == 1 {
			w.pass(time.Second)
			if w.clock.Now().Sub(last) > idle+idle/10+time.Second {
				t.Fatalf("visits %d s apart: not consolidated %v after the last", gap, w.clock.Now().Sub(last))
			}
		}
		if after := w.clock.Now().Sub(last); after < idle {
			t.Errorf("visits %d s apart: consolidated %v after the last", gap, after)
		}
	}
}

func TestR050AMergingAppendKeepsARunBusy(t *testing.T) {
	w := idleWorld(t, 100)
	id := w.say("run-1", "The tower gets a clock.")
	for range 5 {
		w.pass(60 * time.Second)
		if again := w.say("run-1", "the TOWER gets a clock."); again != id {
			t.Fatal("no merge")
		}
	}
	w.there(id)
	w.pass(112 * time.Second)
	w.gone(id)
}

// After its end a run is looked at once more or twice, then it rests until an append.
func TestAnEndedRunRestsUntilTheNextAppend(t *testing.T) {
	w := idleWorld(t, 100)
	w.say("run-1", "The tower gets a clock.")
	w.pass(101 * time.Second)
	for range 3 {
		w.pass(101 * time.Second)
	}
	if r := w.run("run-1"); !r.Due.IsZero() || r.Armed {
		t.Fatalf("%+v", r)
	}
	revision := w.run("run-1").Revision
	w.pass(1000 * time.Second)
	if w.run("run-1").Revision != revision {
		t.Error("a run that rests was written")
	}
	fresh := w.say("run-1", "The clock strikes.")
	if r := w.run("run-1"); !r.Armed || !r.Due.Equal(w.clock.Now().Add(100*time.Second)) {
		t.Errorf("%+v", r)
	}
	w.pass(101 * time.Second)
	w.gone(fresh)
	if n := len(w.episodes()); n != 2 {
		t.Errorf("%d episodes", n)
	}
}

// An append that lands while the worker lets the run rest is found by the last look,
// or makes the run look again.
func TestAnAppendWhileARunIsDisarmedIsNotForgotten(t *testing.T) {
	for _, late := range []bool{false, true} {
		w := idleWorld(t, 100)
		d := &disarming{Store: w.Store, late: late}
		w.say("run-1", "The tower gets a clock.")
		w.pass(101 * time.Second)
		o := worldOver(t, d, w.clock)
		o.workspace = w.workspace
		d.call = func() { w.say("run-1", "The clock strikes.") }
		o.pass(101 * time.Second) // nothing waits: the run is disarmed
		if d.call != nil {
			t.Fatal("the run was not disarmed")
		}
		w.pass(102 * time.Second)
		w.pass(102 * time.Second)
		if n := len(w.episodes()); n != 2 {
			t.Errorf("late=%v: %d episodes", late, n)
		}
	}
}

// disarming calls once, before or after a run is disarmed.
type disarming struct {
	store.Store
	late bool
	call func()
}

func (d *disarming) Commit(ctx context.Context, tx store.Tx) error {
	call := d.call
	_, _, isRun := keys.RunOf(tx.Actions[0].Item.Key)
	if call == nil || !isRun || len(tx.Actions) > 1 {
		return d.Store.Commit(ctx, tx)
	}
	d.call = nil
	if !d.late {
		call()
		return d.Store.Commit(ctx, tx)
	}
	err := d.Store.Commit(ctx, tx)
	call()
	return err
}

func (d *disarming) Scan(ctx context.Context, visit func(store.Item) error) error {
	return d.Store.(store.Scanner).Scan(ctx, visit)
}

func (d *disarming) ScanKeys(ctx context.Context, want func(store.Key) bool, visit func(store.Item) error) error {
	return d.Store.(store.Scanner).ScanKeys(ctx, want, visit)
}

func TestOnlyQuarantineIsNoReasonToConsolidate(t *testing.T) {
	w := idleWorld(t, 100)
	id := w.say("run-1", hostile)
	for range 4 {
		w.pass(101 * time.Second)
	}
	if r := w.run("run-1"); r.Open != 1 || !r.Due.IsZero() {
		t.Errorf("%+v", r)
	}
	if _, err := w.Memories.Review(t.Context(), w.as(reviewer), memory.Ruling{ID: id, Verdict: memory.Release}); err != nil {
		t.Fatal(err)
	}
	w.pass(101 * time.Second) // the release woke the run; an append long ago is idle at once
	w.gone(id)
}

func TestARunWhoseStretchIsInHandIsLookedAtLater(t *testing.T) {
	w := idleWorld(t, 100)
	w.say("run-1", "The tower gets a clock.")
	w.model.fail = fmt.Errorf("down")
	_, err := w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "MODEL_ANSWER_BROKEN")
	w.work() // dead
	fresh := w.say("run-1", "The clock strikes.")
	for range 3 {
		w.pass(101 * time.Second)
	}
	w.there(fresh)
	if r := w.run("run-1"); r.Due.Before(w.clock.Now()) || r.Open != 2 {
		t.Errorf("%+v", r)
	}
}

func TestTheIdleWorkerFindsRunsAmongJobsAndReadsNoOthers(t *testing.T) {
	s := faultstore.New(filled(t))
	w := worldOver(t, s, clock.NewFixed(start))
	w.workspace.Settings.IdleSeconds = 100
	for n := range 300 { // jobs that are due, in the same index
		action, err := outbox.Job{ID: fmt.Sprintf("job-%03d", n), Kind: outbox.Erase, Scope: scope, State: outbox.Pending, DueAt: start}.Put("job")
		if err != nil {
			t.Fatal(err)
		}
		w.commit(action)
	}
	for n := range 40 {
		w.say(fmt.Sprintf("run-%d", n), "The tower gets a clock.")
	}
	idle := consolidate.Idle{Service: w.Service}
	before := s.Calls()
	if n, err := idle.Run(t.Context()); err != nil || n != 0 || s.Calls()-before > 20 {
		t.Errorf("%d sealed with %d calls, %v", n, s.Calls()-before, err)
	}
	w.clock.Advance(200 * time.Second)
	if n, err := idle.Run(t.Context()); err != nil || n != 40 {
		t.Errorf("%d sealed, %v", n, err)
	}
}

func TestAFaultedLookHasOneEffect(t *testing.T) {
	var raw store.Store
	var c *clock.Fixed
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		raw, c = filled(t), clock.NewFixed(start)
		w := worldOver(t, raw, c)
		w.workspace.Settings.IdleSeconds = 100
		w.say("run-1", "The tower gets a clock.")
		w.say("run-2", "The bus is late.")
		c.Advance(200 * time.Second)
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		w := worldOver(t, s, c)
		w.workspace.Settings.IdleSeconds = 100
		for range 3 {
			if _, err := (consolidate.Idle{Service: w.Service}).Run(t.Context()); err != nil {
				t.Log(err)
			}
		}
		s.Disarm()
		w = worldOver(t, raw, c)
		w.work()
		if n := len(w.episodes()); n != 2 {
			t.Errorf("%d episodes", n)
		}
	})
}
