package erase

import (
	"context"
	"fmt"
	"log/slog"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/erasure"
	"holdfast/internal/errs"
	"holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Index is a copy in a search engine: Refresh writes what is true now of items
// (of the erased: nothing), Has tells whether a document is left.
type Index interface {
	Refresh(ctx context.Context, scope tenant.Scope, family string, ids []string) error
	Has(ctx context.Context, scope tenant.Scope, id string) (bool, error)
}

// Follower is an index that follows the log: Sync brings it up to a scope's.
type Follower interface {
	Index
	Sync(ctx context.Context, scope tenant.Scope) error
}

// Staged is what consolidations have in hand of a run: Citing counts the rows with
// texts that rest on an entry, Drop takes these texts out, each with actions beside it.
type Staged interface {
	Citing(ctx context.Context, scope tenant.Scope, runHash, id string) (int, error)
	Drop(ctx context.Context, scope tenant.Scope, runHash, id string, with ...store.Action) error
}

// Eraser erases what deletes have left behind, copy by copy (T.24, R0.44 to
// R0.46). Each step can be done again and leaves a row with its count; the last
// one reads every copy once more and writes the erasure receipt.
type Eraser struct {
	Store    store.Store
	Commit   commit.Doer
	Runner   *outbox.Runner
	Index    Follower // of memories
	Staged   Staged
	Memories *memory.Service
	Facts    *fact.Service
	Words    Index // of facts
	IDs      *ids.Source
	Clock    clock.Clock
	Log      *slog.Logger
	// Metrics hears of every erased item that is found again (CanaryHits); nil: nobody.
	Metrics func(...obs.Metric) error
}

// Run does one erase job.
func (e *Eraser) Run(ctx context.Context, scope tenant.Scope, jobID string) error {
	return e.Runner.Run(ctx, scope, jobID, e.work)
}

// erasing is one item's erasure on its way.
type erasing struct {
	*Eraser
	scope tenant.Scope
	job   outbox.Job
	rows  []store.Key // what its canary asks for: rows that it stood in; of a list, some HEADs
	again bool        // a copy turned up after the erasure was complete
}

func (e *Eraser) work(ctx context.Context, job outbox.Job) error {
	if look := Look(job.Args[argLook]); look != "" {
		return e.look(ctx, job, look)
	}
	record, _, err := erasure.Read(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil {
		return err
	}
	x := &erasing{Eraser: e, scope: job.Scope, job: job, rows: record.Rows,
		again: job.Args[argAgain] == "true" && record.Status == erasure.Complete}
	if x.again {
		if err := x.reopen(ctx); err != nil {
			return err
		}
	}
	c, err := x.begin(ctx)
	if err != nil {
		return err
	}
	if c == nil || record.Status == erasure.Complete && !x.again {
		return e.put(ctx, job.Done())
	}
	if !x.again {
		record.Rows = x.rows
		if err := e.attempt(ctx, job, record); err != nil {
			return err
		}
	}
	if err := x.all(ctx, c); err != nil {
		return err
	}
	return x.complete(ctx, c)
}

// all does every step.
func (x *erasing) all(ctx context.Context, c copies) error {
	steps, err := c.steps(ctx)
	if err != nil {
		return err
	}
	for i, s := range steps {
		row := keys.ErasureStep(x.scope, x.job.ItemID, i)
		n, err := s.do(ctx, row)
		if err != nil {
			return fmt.Errorf("erase: %s: %w", s.name, err)
		}
		if err := x.note(ctx, row, s.name, n); err != nil {
			return err
		}
	}
	return nil
}

// begin asks the item's family what there is to erase; nil: nothing.
func (x *erasing) begin(ctx context.Context) (copies, error) {
	switch family := x.job.Args[erasure.ArgFamily]; family {
	case "", memory.Family:
		return x.ofMemory(ctx)
	case fact.Family:
		return x.ofFacts(ctx)
	}
	return nil, errs.New(errs.Internal, "INTERNAL", "The job names a family that nobody erases.")
}

// attempt counts a try on the erasure's record, unless another worker has moved it
// on meanwhile.
func (e *Eraser) attempt(ctx context.Context, job outbox.Job, record erasure.Record) error {
	still := record.Still()
	record.Status, record.Attempts = erasure.Pending, job.Attempts
	return e.put(ctx, store.PutItem("erasure", record.Item(job.Scope, job.ItemID), still))
}

// GiveUp marks an erasure whose job is dead: deleting again resumes it (R0.84).
func (e *Eraser) GiveUp(ctx context.Context, job outbox.Job) error {
	record, found, err := erasure.Read(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil || !found || record.Status == erasure.Complete {
		return err
	}
	still := record.Still()
	record.Status, record.Attempts = erasure.Dead, job.Attempts
	err = e.put(ctx, store.PutItem("erasure", record.Item(job.Scope, job.ItemID), still))
	if store.Failed(err, "erasure") {
		return nil // another worker has moved it on
	}
	return err
}

func (e *Eraser) put(ctx context.Context, actions ...store.Action) error {
	return e.Store.Commit(ctx, store.Tx{Actions: actions})
}

// complete looks for every copy again, then commits the end: record, log row, what
// asks for later looks, and the job's removal in one.
func (x *erasing) complete(ctx context.Context, c copies) error {
	left, err := c.search(ctx)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("%w: %v", errLeft, left)
	}
	if x.again {
		return x.put(ctx, x.watch(x.Clock.Now()), x.job.Done())
	}
	_, err = x.Commit.Do(ctx, commit.Write{
		Scope: x.scope, Actor: ledger.Service(), Kind: ledger.ErasureReceipt,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) { return x.end(ctx, op, c) },
	})
	return err
}

func (x *erasing) end(ctx context.Context, op commit.Operation, c copies) (commit.Plan, error) {
	record, _, err := erasure.Read(ctx, x.Store, x.scope, x.job.ItemID)
	if err != nil {
		return commit.Plan{}, err
	}
	if record.Status == erasure.Complete {
		return commit.Plan{Actions: []store.Action{x.job.Done()}}, nil
	}
	at, still := op.At, record.Still()
	record.Status, record.ErasedAt, record.Attempts, record.Rows = erasure.Complete, &at, x.job.Attempts, nil
	return commit.Plan{
		Actions: []store.Action{x.watch(at), store.PutItem("erasure", record.Item(x.scope, x.job.ItemID), still), x.job.Done()},
		Entries: []ledger.Entry{c.entry()},
	}, nil
}
