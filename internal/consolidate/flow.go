package consolidate

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"holdfast/internal/errs"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/tenant"
)

// end says how far a try goes.
type end int

const (
	cleared end = iota // the sweep is left to a worker
	swept              // to the job's end
)

// pass is one try to consolidate a stretch.
type pass struct {
	*Service
	target  memory.Target
	run     run.Run
	stretch run.Stretch
	moved   bool // a step was made that the next try need not make again
}

// work does a consolidation job, or goes on with it, up to an end.
func (s *Service) work(ctx context.Context, job outbox.Job, to end) error {
	p, err := s.begin(ctx, job)
	if err != nil {
		return err
	}
	if p == nil {
		return s.put(ctx, job.Done()) // the run is gone
	}
	if err := p.steps(ctx, job, to); err != nil {
		return p.paused(err)
	}
	return nil
}

func (s *Service) begin(ctx context.Context, job outbox.Job) (*pass, error) {
	n, err := strconv.ParseInt(job.Args[argStretch], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("consolidate: job without a stretch: %w", err)
	}
	stretch, found, err := run.ReadStretch(ctx, s.Store, job.Scope, job.ItemID, n)
	if err != nil || !found {
		return nil, err
	}
	r, found, err := run.Read(ctx, s.Store, job.Scope, job.ItemID)
	if err != nil || !found {
		return nil, err
	}
	w, err := s.Workspace(ctx, job.Scope)
	if err != nil {
		return nil, err
	}
	return &pass{Service: s, target: memory.ServiceTarget(job.Scope, w), run: r, stretch: stretch}, nil
}

func (p *pass) steps(ctx context.Context, job outbox.Job, to end) error {
	if p.stretch.State != run.Done {
		if err := p.alive(ctx); err != nil {
			return err
		}
		if err := p.derived(ctx); err != nil {
			return err
		}
		if err := p.clear(ctx); err != nil {
			return err
		}
	}
	if to == cleared {
		return &outbox.Later{}
	}
	return p.sweep(ctx, job)
}

// alive ends the death of a stretch whose job is tried again.
func (p *pass) alive(ctx context.Context) error {
	if p.stretch.State != run.Dead {
		return nil
	}
	p.stretch.State = run.Sealed
	err := p.put(ctx, p.stretch.Put("stretch", run.Still(run.Dead)))
	return ignore(err, "stretch")
}

// paused is the error of a try that ended early: one that came some way and was out
// of time has not failed, nor has one that waits for a budget.
func (p *pass) paused(err error) error {
	var later *outbox.Later
	switch {
	case errors.As(err, &later):
		return err
	case errs.Is(err, errs.Exhausted):
		return &outbox.Later{Delay: budgetPause, Cause: err}
	case p.moved && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)):
		return &outbox.Later{Cause: errOutOfTime}
	}
	return err
}

var errOutOfTime = errs.New(errs.Unavailable, "TIMEOUT", "The time of the call was up.")

// mostReads bounds how often the entries are read again in one try because somebody
// edited them meanwhile.
const mostReads = 5

// errEdited tells that an entry was edited after it was read.
var errEdited = errs.New(errs.Unavailable, "SESSION_EDITED", "The session was edited while it was consolidated.")

// derived makes the memories of every group of entries.
func (p *pass) derived(ctx context.Context) error {
	err := error(errEdited)
	for n := 0; n < mostReads && errors.Is(err, errEdited); n++ {
		err = p.groups(ctx)
	}
	return err
}

func (p *pass) groups(ctx context.Context) error {
	edits, err := run.Edits(ctx, p.Store, p.run.Scope, p.run.Hash) // before the entries are read
	if err != nil {
		return err
	}
	groups, err := p.entries(ctx)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := p.group(ctx, g, edits); err != nil {
			return err
		}
	}
	return nil
}

// GiveUp marks a stretch whose job is dead: its entries stay, and asking again takes
// it up.
func (s *Service) GiveUp(ctx context.Context, job outbox.Job) error {
	p, err := s.begin(ctx, job)
	if err != nil || p == nil || p.stretch.State != run.Sealed {
		return err
	}
	p.stretch.State = run.Dead
	return ignore(s.put(ctx, p.stretch.Put("stretch", run.Still(run.Sealed))), "stretch")
}

// Worker is the body of the queue's worker.
type Worker struct{ *Service }

// Run does one job.
func (w Worker) Run(ctx context.Context, scope tenant.Scope, jobID string) error {
	return w.Runner.Run(ctx, scope, jobID, func(ctx context.Context, job outbox.Job) error {
		return w.work(ctx, job, swept)
	})
}
