// Package erase removes every copy of what was deleted, one verified step a copy
// (T.24): idempotency references, what derives from it, versions with their vectors,
// the current vector, edges, index documents of all texts. It is the body of
// worker-erase; its tests stand with those of the other workers in internal/work,
// whose harness they share.
package erase

import (
	"context"
	"fmt"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/erasure"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Index is the copy in the search engine: Refresh writes what is true now of items
// (of the erased: nothing), Has tells whether a document is left.
type Index interface {
	Refresh(ctx context.Context, scope tenant.Scope, family string, ids []string) error
	Has(ctx context.Context, scope tenant.Scope, id string) (bool, error)
}

// Eraser erases what deletes have left behind, copy by copy (T.24, R0.44 to
// R0.46). Each step can be done again and leaves a row with its count; the last
// one reads every copy once more and writes the erasure receipt.
type Eraser struct {
	Store    store.Store
	Commit   commit.Doer
	Runner   *outbox.Runner
	Index    Index
	Memories *memory.Service
	Clock    clock.Clock
}

// Run does one erase job.
func (e *Eraser) Run(ctx context.Context, scope tenant.Scope, jobID string) error {
	return e.Runner.Run(ctx, scope, jobID, e.work)
}

// erasing is one memory's erasure on its way.
type erasing struct {
	*Eraser
	scope   tenant.Scope
	stone   *memory.Memory
	cascade bool
	parts   memory.Parts
}

func (e *Eraser) work(ctx context.Context, job outbox.Job) error {
	stone, err := memory.Head(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil {
		return err
	}
	record, _, err := erasure.Read(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil {
		return err
	}
	if stone == nil || !stone.IsDeleted() || record.Status == erasure.Complete {
		return e.put(ctx, job.Done())
	}
	if err := e.attempt(ctx, job, record); err != nil {
		return err
	}
	x := &erasing{Eraser: e, scope: job.Scope, stone: stone, cascade: job.Args[memory.ArgCascade] == "true"}
	if x.parts, err = memory.LoadParts(ctx, e.Store, job.Scope, stone.ID); err != nil {
		return err
	}
	for i, s := range x.steps() {
		row := keys.ErasureStep(x.scope, stone.ID, i)
		n, err := s.do(ctx, row)
		if err != nil {
			return fmt.Errorf("erase: %s: %w", s.name, err)
		}
		if err := x.note(ctx, row, s.name, n); err != nil {
			return err
		}
	}
	return x.complete(ctx, job)
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

// complete reads every copy again, then commits the end: record, log row and the
// job's removal in one.
func (x *erasing) complete(ctx context.Context, job outbox.Job) error {
	left, err := memory.LoadParts(ctx, x.Store, x.scope, x.stone.ID)
	if err != nil {
		return err
	}
	if n := len(left.Versions) + len(left.Vectors) + len(left.Edges); n > 0 {
		return fmt.Errorf("%w: %d rows", errLeft, n)
	}
	if err := x.absent(ctx); err != nil {
		return err
	}
	_, err = x.Commit.Do(ctx, commit.Write{
		Scope: x.scope, Actor: ledger.Service(), Kind: ledger.ErasureReceipt,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) { return x.end(ctx, op, job) },
	})
	return err
}

func (x *erasing) end(ctx context.Context, op commit.Operation, job outbox.Job) (commit.Plan, error) {
	record, _, err := erasure.Read(ctx, x.Store, x.scope, x.stone.ID)
	if err != nil {
		return commit.Plan{}, err
	}
	if record.Status == erasure.Complete {
		return commit.Plan{Actions: []store.Action{job.Done()}}, nil
	}
	at, still := op.At, record.Still()
	record.Status, record.ErasedAt, record.Attempts = erasure.Complete, &at, job.Attempts
	return commit.Plan{
		Actions: []store.Action{
			store.PutItem("erasure", record.Item(x.scope, x.stone.ID), still), job.Done(),
		},
		Entries: []ledger.Entry{{Op: ledger.Erase, Family: memory.Family, ItemID: x.stone.ID, Version: x.stone.Version}},
	}, nil
}
