package consolidate

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// held is how long a sealed stretch is left to the call that sealed it: so long no
// worker is woken for its job.
const held = time.Minute

// argStretch is the job's argument that names the stretch; its item is the run's hash.
const argStretch = "stretch"

// sealing is what a seal's operation keeps: ids only.
type sealing struct {
	Stretch int64 `json:"stretch"` // 0: there was nothing to consolidate
}

func stretchOf(result []byte) (int64, error) {
	if len(result) == 0 {
		return 0, nil // an erased reference: the run was consolidated then
	}
	var r sealing
	if err := json.Unmarshal(result, &r); err != nil {
		return 0, fmt.Errorf("consolidate: stored result: %w", err)
	}
	return r.Stretch, nil
}

// busyError tells that another stretch of the run is in hand.
type busyError struct{ stretch int64 }

func (b *busyError) Error() string {
	return "consolidate: stretch " + strconv.FormatInt(b.stretch, 10) + " is in hand"
}

// seal opens the next stretch of a run and leaves the job that consolidates the one
// before. Where there is nothing to consolidate nothing is written but that the run was
// consolidated, if nothing says so yet. The job is due
// after a delay; 0: at once, by a worker.
func (s *Service) seal(ctx context.Context, t memory.Target, hash string, ask Ask, delay time.Duration) (commit.Outcome, error) {
	return s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Caller.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			r, found, err := run.Read(ctx, s.Store, t.Scope, hash)
			switch {
			case err != nil:
				return commit.Plan{}, errs.Unread(err)
			case !found:
				return commit.Plan{}, errs.Missing()
			case r.Busy != 0:
				return commit.Plan{}, &busyError{r.Busy}
			}
			waiting, err := s.waiting(ctx, r)
			if err != nil || !waiting {
				return resulting(emptyPlan(r), 0), errs.Unread(err)
			}
			if err := s.affordable(ctx, t.Scope, t.Workspace); err != nil {
				return commit.Plan{}, err
			}
			return sealPlan(r, op, t.Workspace, ask, delay), nil
		}})
}

// emptyPlan is the plan for a run in which nothing was said: its end is told all the
// same (T.45), and once only (R0.47).
func emptyPlan(r run.Run) commit.Plan {
	if r.Cleared > 0 || r.Told {
		return commit.Plan{}
	}
	r.Told = true
	return commit.Plan{
		Actions: []store.Action{r.Put("run")},
		Entries: []ledger.Entry{{Op: ledger.Update, Family: run.Family, ItemID: r.ID, Version: r.Open}},
	}
}

func sealPlan(r run.Run, op commit.Operation, w tenant.Workspace, ask Ask, delay time.Duration) commit.Plan {
	stretch := run.Stretch{Scope: r.Scope, Hash: r.Hash, Number: r.Open, State: run.Sealed,
		Goal: ask.Goal, Instructions: ask.Instructions, JobID: op.ID, SealedAt: op.At}
	r.Open, r.Busy = r.Open+1, r.Open
	r = r.Arm(op.At, run.IdleTime(w))
	plan := commit.Plan{Jobs: []outbox.Job{jobOf(stretch, op.At.Add(delay))}}
	plan.Actions = append(plan.Actions, r.Put("run"), stretch.Put("stretch", store.IfAbsent()))
	return resulting(plan, stretch.Number)
}

func jobOf(stretch run.Stretch, due time.Time) outbox.Job {
	return outbox.Job{ID: stretch.JobID, Kind: outbox.Consolidate, Scope: stretch.Scope, ItemID: stretch.Hash,
		Args:  map[string]string{argStretch: strconv.FormatInt(stretch.Number, 10)},
		State: outbox.Pending, CreatedAt: stretch.SealedAt, DueAt: due}
}

func resulting(plan commit.Plan, stretch int64) commit.Plan {
	raw, err := json.Marshal(sealing{stretch})
	if err != nil {
		panic("consolidate: result: " + err.Error()) // a struct of a number
	}
	plan.Result = raw
	return plan
}

// waiting tells whether the open stretch has an entry to consolidate: a live one that
// is not in quarantine (R0.51).
func (s *Service) waiting(ctx context.Context, r run.Run) (bool, error) {
	w := memory.StretchWalk{Hash: r.Hash, Stretch: r.Open, Back: true, Limit: pageSize}
	for {
		ids, err := s.Memories.StretchIDs(ctx, r.Scope, w)
		if err != nil || len(ids) == 0 {
			return false, err
		}
		found, err := memory.Load(ctx, s.Store, r.Scope, ids)
		if err != nil {
			return false, err
		}
		for _, m := range found {
			if m != nil && m.Status != memory.Quarantined {
				return true, nil
			}
		}
		w.Beyond = ids[len(ids)-1]
	}
}

// pageSize is how many entries are read at a time.
const pageSize = 100
