package runtoken

import (
	"context"
	"errors"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
)

// over counts the experiments that a service says are over.
func over(s *Service) map[string]int {
	seen := map[string]int{}
	s.Over = func(_ context.Context, op commit.Operation, r Run) (commit.Plan, error) {
		seen[r.ID]++
		return commit.Plan{Entries: []ledger.Entry{{Op: ledger.Delete, Family: "fact", ItemID: r.ID}},
			Jobs: []outbox.Job{{Kind: outbox.Erase, ItemID: r.ID}}}, nil
	}
	return seen
}

func TestR322ACrashedExperimentIsEndedWhenItsTimeIsOver(t *testing.T) {
	at := clock.NewFixed(begun)
	table := memstore.New()
	s := newService(t, table, at)
	seen := over(s)
	crashed := start(t, s, Ask{Experiment: true})
	child := start(t, s, Ask{ParentID: crashed.ID})
	ended := start(t, s, Ask{Experiment: true})
	start(t, s, Ask{})
	if _, err := s.End(t.Context(), scope, actor, ended.ID); err != nil {
		t.Fatal(err)
	}
	at.Advance(time.Hour)
	young := start(t, s, Ask{Experiment: true})
	other := store.Item{Key: keys.Receipt(scope, begun, "rc"), Due: &store.Due{Shard: outbox.Shard(scope), At: begun}}
	if err := table.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("", other, nil)}}); err != nil {
		t.Fatal(err)
	}
	cleaner := &Cleaner{Runs: s}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{Lifetime - time.Hour - time.Millisecond, 0}, {time.Millisecond, 1}, {0, 0}, {time.Hour, 1}, {Lifetime, 0}} {
		at.Advance(step.after)
		if n, err := cleaner.Run(t.Context()); n != step.want || err != nil {
			t.Errorf("after %v more: ended %d, want %d, %v", step.after, n, step.want, err)
		}
	}
	if seen[crashed.ID] != 1 || seen[young.ID] != 1 || seen[ended.ID] != 1 || len(seen) != 3 {
		t.Errorf("over: %v", seen)
	}
	for _, id := range []string{crashed.ID, child.ID} {
		r, _, err := s.read(t.Context(), id)
		if want := id == crashed.ID; err != nil || r.Ended() != want {
			t.Errorf("%s: %+v, %v", id, r.Run, err)
		}
	}
	rows, err := (ledger.Log{Store: table}).Rows(t.Context(), scope, 1, 10)
	if err != nil || len(rows) != 3 || rows[1].Actor != ledger.Service() {
		t.Errorf("log %+v, %v", rows, err)
	}
}

func TestR322ManyCrashedExperimentsAreEnded(t *testing.T) {
	at := clock.NewFixed(begun)
	s := newService(t, memstore.New(), at)
	for range 250 {
		start(t, s, Ask{Experiment: true})
	}
	at.Advance(Lifetime)
	if n, err := (&Cleaner{Runs: s}).Run(t.Context()); n != 250 || err != nil {
		t.Errorf("ended %d, %v", n, err)
	}
}

func TestWhateverFailsACrashedExperimentIsEndedOnce(t *testing.T) {
	at := clock.NewFixed(begun)
	var id string
	fresh := func(t testing.TB) store.Store {
		table := memstore.New()
		at = clock.NewFixed(begun)
		s := newService(t, table, at)
		id = start(t, s, Ask{Experiment: true}).ID
		at.Advance(Lifetime)
		return table
	}
	faultstore.Sweep(t, fresh, func(t *testing.T, faulty *faultstore.Store) {
		s := newService(t, faulty, at)
		over(s)
		for range 3 {
			if _, err := (&Cleaner{Runs: s}).Run(t.Context()); err == nil {
				break
			}
		}
		faulty.Disarm()
		r, _, err := s.read(t.Context(), id)
		rows, lerr := (ledger.Log{Store: faulty}).Rows(t.Context(), scope, 1, 10)
		if err := errors.Join(err, lerr); err != nil || !r.Ended() || len(rows) != 1 {
			t.Errorf("%+v, %d rows, %v", r.Run, len(rows), err)
		}
	})
}

func TestS323StillRunsHoldsInACommit(t *testing.T) {
	table := memstore.New()
	s := newService(t, table, clock.NewFixed(begun))
	r := start(t, s, Ask{Experiment: true})
	check, err := StillRuns(t.Context(), table, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	commit := func() error { return table.Commit(t.Context(), store.Tx{Actions: []store.Action{check}}) }
	if err := commit(); err != nil {
		t.Error(err)
	}
	if _, err := s.End(t.Context(), scope, actor, r.ID); err != nil {
		t.Fatal(err)
	}
	if err := commit(); !store.Failed(err, "run") {
		t.Errorf("after the end: %v", err)
	}
	for _, id := range []string{r.ID, "0192f0c1-0000-7000-8000-0000000000ff"} {
		if _, err := StillRuns(t.Context(), table, id); errs.As(err) == nil || errs.As(err).Code != "INVOCATION_ENDED" {
			t.Errorf("%s: %v", id, err)
		}
	}
}
