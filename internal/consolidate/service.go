package consolidate

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/extract"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/llm"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/screen"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Service consolidates runs. It is safe for concurrent use.
type Service struct {
	Store     store.Store
	Commit    commit.Doer
	Memories  *memory.Service
	Extractor extract.Extractor
	IDs       *ids.Source
	Clock     clock.Clock
	Log       *slog.Logger
	// Runner leases the jobs; its OnDead is the service's GiveUp.
	Runner *outbox.Runner
	// Workspace answers a workspace's settings.
	Workspace func(ctx context.Context, scope tenant.Scope) (tenant.Workspace, error)
	// Index is asked what new memories look like; nil: nothing is suggested.
	Index search.Index
	// Ended adds to the commit that ends a consolidation; nil: nothing.
	Ended func(ctx context.Context, scope tenant.Scope) ([]store.Action, error)
	// Patience bounds how long a call waits for its consolidation; 0: 20 s. What is not
	// over by then goes on in the background.
	Patience time.Duration
}

// New completes a service whose extractor asks a model, and whose runner tells it of
// jobs that are given up.
func New(s Service, model llm.Model) *Service {
	s.Extractor = extract.New(model, func(text string) bool { return screen.Check(text).Clean() })
	out := &s
	s.Runner.OnDead = out.GiveUp
	return out
}

// defaultPatience leaves a request of 29 s time to answer.
const defaultPatience = 20 * time.Second

// Consolidate ends a run's open stretch (S0.62): it answers when the stretch is
// cleared, or that there was nothing to consolidate, which is a success too (R0.47).
// A consolidation that was begun before and is not over is finished first. A run that
// the workspace has never seen is missing. The outcome's sequence covers all that was
// made.
func (s *Service) Consolidate(ctx context.Context, t memory.Target, ask Ask) (commit.Outcome, error) {
	if err := ask.check(); err != nil {
		return commit.Outcome{}, err
	}
	hash, err := s.Memories.RunHash(ctx, t.Scope, ask.RunID)
	if err != nil {
		return commit.Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	out, stretch, err := s.sealed(ctx, t, hash, ask)
	if err == nil && stretch > 0 {
		err = s.finish(ctx, t.Scope, hash, stretch)
	}
	if err != nil {
		return commit.Outcome{}, err
	}
	return s.covering(ctx, t.Scope, out)
}

func (s *Service) patience() time.Duration {
	if s.Patience > 0 {
		return s.Patience
	}
	return defaultPatience
}

// sealed seals the open stretch once what was begun before is over, and answers its
// number; 0: there was nothing to consolidate.
func (s *Service) sealed(ctx context.Context, t memory.Target, hash string, ask Ask) (commit.Outcome, int64, error) {
	for {
		out, err := s.seal(ctx, t, hash, ask, held)
		var busy *busyError
		if !errors.As(err, &busy) {
			if err != nil {
				return commit.Outcome{}, 0, err
			}
			n, err := stretchOf(out.Result)
			return out, n, err
		}
		if err := s.finish(ctx, t.Scope, hash, busy.stretch); err != nil {
			return commit.Outcome{}, 0, err
		}
	}
}

// covering is the outcome with the last sequence of the log.
func (s *Service) covering(ctx context.Context, scope tenant.Scope, out commit.Outcome) (commit.Outcome, error) {
	head, err := ledger.ReadHead(ctx, s.Store, scope)
	if err != nil {
		return commit.Outcome{}, errs.Unread(err)
	}
	out.Sequence = max(out.Sequence, head.Sequence)
	return out, nil
}

// finish brings a sealed stretch to its clearing, unless somebody else is at it.
func (s *Service) finish(ctx context.Context, scope tenant.Scope, hash string, n int64) error {
	stretch, found, err := run.ReadStretch(ctx, s.Store, scope, hash, n)
	if err != nil {
		return errs.Unread(err)
	}
	if !found || stretch.State == run.Done {
		return nil
	}
	if err := s.revive(ctx, stretch); err != nil {
		return errs.Unread(err)
	}
	ran, failure := false, error(nil)
	err = s.Runner.Run(ctx, scope, stretch.JobID, func(ctx context.Context, job outbox.Job) error {
		ran = true
		failure = s.work(ctx, job, cleared)
		return failure
	})
	if ran {
		return answered(failure)
	}
	if err != nil {
		return errs.Unread(err)
	}
	return s.othersWork(ctx, stretch)
}

// revive makes a dead consolidation's job due again, with all its tries.
func (s *Service) revive(ctx context.Context, stretch run.Stretch) error {
	job, found, err := s.Runner.Find(ctx, stretch.Scope, stretch.JobID)
	if err != nil || found && job.State != outbox.Dead {
		return err
	}
	if !found {
		job = jobOf(stretch, s.Clock.Now())
		action, err := job.Put("job")
		if err != nil {
			return err
		}
		err = s.put(ctx, action)
		return ignore(err, "job")
	}
	action, err := job.Again(s.Clock.Now())
	if err != nil {
		return err
	}
	return ignore(s.put(ctx, action), "job")
}

// othersWork answers for a stretch whose job somebody else has.
func (s *Service) othersWork(ctx context.Context, stretch run.Stretch) error {
	now, found, err := run.ReadStretch(ctx, s.Store, stretch.Scope, stretch.Hash, stretch.Number)
	if err != nil {
		return errs.Unread(err)
	}
	if found && now.State == run.Done {
		return nil
	}
	e := errs.New(errs.InProgress, "CONSOLIDATION_RUNNING", "This run is being consolidated; ask again when that is over.")
	e.RetryAfter = 2 * time.Second
	return e
}

// answered is what a caller hears of a try that its consolidation had.
func answered(failure error) error {
	var later *outbox.Later
	if failure == nil || errors.As(failure, &later) && later.Cause == nil {
		return nil
	}
	if errs.Is(failure, errs.Exhausted) {
		return errs.As(failure)
	}
	e := errs.Wrap(errs.Unavailable, "CONSOLIDATION_DELAYED",
		"The run could not be consolidated in time; it goes on in the background. Ask again to hear of it.", failure)
	if cause := errs.As(failure); cause != nil && cause.Kind == errs.Unavailable {
		e.Code = cause.Code
	}
	e.RetryAfter = 5 * time.Second
	return e
}

// put writes rows of the consolidation's own.
func (s *Service) put(ctx context.Context, actions ...store.Action) error {
	return s.Store.Commit(ctx, store.Tx{Actions: actions})
}

// ignore passes over a condition that did not hold: somebody else was faster.
func ignore(err error, label string) error {
	if store.Failed(err, label) {
		return nil
	}
	return err
}
