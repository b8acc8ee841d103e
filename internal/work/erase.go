package work

import (
	"context"
	"errors"
	"fmt"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Eraser erases what deletes have left behind, copy by copy (T.24, R0.44 to
// R0.46). Each step can be done again and leaves a row with its count; the last
// one reads every copy once more and writes the erasure receipt.
type Eraser struct {
	Store    store.Store
	Commit   commit.Doer
	Runner   *outbox.Runner
	Indexer  *Indexer
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

// step is one kind of copy; its function answers how many were erased.
type step struct {
	name string
	do   func(context.Context) (int, error)
}

func (e *Eraser) work(ctx context.Context, job outbox.Job) error {
	stone, err := memory.Head(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil {
		return err
	}
	record, _, err := memory.ReadErasure(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil {
		return err
	}
	if stone == nil || !stone.IsDeleted() || record.Status == memory.ErasureComplete {
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
		n, err := s.do(ctx)
		if err != nil {
			return fmt.Errorf("work: erase %s: %w", s.name, err)
		}
		if err := x.note(ctx, i, s.name, n); err != nil {
			return err
		}
	}
	return x.complete(ctx, job)
}

// attempt counts a try on the erasure's record.
func (e *Eraser) attempt(ctx context.Context, job outbox.Job, record memory.Erasure) error {
	record.Status, record.Attempts = memory.ErasurePending, job.Attempts
	return e.put(ctx, store.PutItem("erasure", memory.ErasureItem(job.Scope, job.ItemID, record), nil))
}

// GiveUp marks an erasure whose job is dead: deleting again resumes it (R0.84).
func (e *Eraser) GiveUp(ctx context.Context, job outbox.Job) error {
	record, found, err := memory.ReadErasure(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil || !found || record.Status == memory.ErasureComplete {
		return err
	}
	record.Status, record.Attempts = memory.ErasureDead, job.Attempts
	return e.put(ctx, store.PutItem("erasure", memory.ErasureItem(job.Scope, job.ItemID, record), nil))
}

func (e *Eraser) put(ctx context.Context, actions ...store.Action) error {
	return e.Store.Commit(ctx, store.Tx{Actions: actions})
}

// steps lists the copies in the order in which they go: the derived before the
// edges that lead to them.
func (x *erasing) steps() []step {
	return []step{
		{"idempotency", x.references},
		{"derived", x.derived},
		{"versions", func(ctx context.Context) (int, error) { return x.drop(ctx, x.parts.Versions) }},
		{"vectors", func(ctx context.Context) (int, error) { return x.drop(ctx, x.parts.Vectors) }},
		{"edges", x.edges},
		{"index", x.index},
	}
}

// note leaves the step's row.
func (x *erasing) note(ctx context.Context, n int, name string, count int) error {
	return x.put(ctx, store.PutItem("step", store.Item{
		Key: keys.ErasureStep(x.scope, x.stone.ID, n),
		Attrs: store.Attrs{"name": store.S(name), "n": store.N(int64(count)),
			"at": store.N(x.Clock.Now().UnixMilli())},
	}, nil))
}

// dropBatch keeps the deletes of one commit well under its limit.
const dropBatch = 90

func (x *erasing) drop(ctx context.Context, rows []store.Key) (int, error) {
	for at := 0; at < len(rows); at += dropBatch {
		var actions []store.Action
		for _, key := range rows[at:min(at+dropBatch, len(rows))] {
			actions = append(actions, store.DeleteItem("copy", key, nil))
		}
		if err := x.put(ctx, actions...); err != nil {
			return at, err
		}
	}
	return len(rows), nil
}

// derived takes along what cites only the erased, and takes the citation from
// what cites others too (R0.67).
func (x *erasing) derived(ctx context.Context) (int, error) {
	if !x.cascade {
		return 0, nil
	}
	for n, id := range x.parts.Derived {
		m, err := memory.Head(ctx, x.Store, x.scope, id)
		if err != nil {
			return n, err
		}
		switch {
		case m == nil || m.IsDeleted():
		case m.CitesOnly(x.stone.ID):
			_, err = x.Memories.Forget(ctx, x.scope, id, true)
		default:
			_, err = x.Memories.Uncite(ctx, x.scope, id, x.stone.ID)
		}
		if err != nil {
			return n, err
		}
	}
	return len(x.parts.Derived), nil
}

func (x *erasing) edges(ctx context.Context) (int, error) {
	return x.drop(ctx, append(memory.CitedEdges(x.scope, x.stone), x.parts.Edges...))
}

// index writes to the index that there is nothing, and looks.
func (x *erasing) index(ctx context.Context) (int, error) {
	if err := x.Indexer.Refresh(ctx, x.scope, memory.Family, []string{x.stone.ID}); err != nil {
		return 0, err
	}
	return 1, x.absent(ctx)
}

var errLeft = errors.New("work: a copy is left")

func (x *erasing) absent(ctx context.Context) error {
	for _, scope := range []tenant.Scope{x.scope, x.scope.Own()} {
		has, err := x.Indexer.Index.Has(ctx, scope, x.stone.ID)
		if err != nil {
			return err
		}
		if has {
			return fmt.Errorf("%w in the index", errLeft)
		}
	}
	return nil
}

// references empties what idempotency records say of the writes of this memory;
// the keys stay as tombstones for their day (T.47).
func (x *erasing) references(ctx context.Context) (int, error) {
	operations, err := memory.OperationsOf(ctx, x.Store, x.scope, x.stone, x.parts)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range operations {
		op, found, err := ledger.ReadOperation(ctx, x.Store, x.scope, id)
		if err != nil {
			return n, err
		}
		if !found || op.Key == "" {
			continue
		}
		if err := x.forget(ctx, idem.Key{Hash: op.Key}, id); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (x *erasing) forget(ctx context.Context, key idem.Key, operation string) error {
	item, found, err := x.Store.Get(ctx, keys.Idempotency(x.scope, key.Hash))
	if err != nil || !found {
		return err
	}
	record := idem.FromItem(item)
	if record.OperationID != operation || record.Erased {
		return nil
	}
	record.Erased, record.Result = true, nil
	err = x.put(ctx, store.PutItem("idem", record.Item(x.scope, key),
		store.IfEqual(idem.AttrOperation, store.S(operation))))
	if store.Failed(err, "idem") {
		return nil // taken by a later call meanwhile
	}
	return err
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
	record, _, err := memory.ReadErasure(ctx, x.Store, x.scope, x.stone.ID)
	if err != nil {
		return commit.Plan{}, err
	}
	if record.Status == memory.ErasureComplete {
		return commit.Plan{Actions: []store.Action{job.Done()}}, nil
	}
	at := op.At
	record.Status, record.ErasedAt, record.Attempts = memory.ErasureComplete, &at, job.Attempts
	return commit.Plan{
		Actions: []store.Action{
			store.PutItem("erasure", memory.ErasureItem(x.scope, x.stone.ID, record), nil), job.Done(),
		},
		Entries: []ledger.Entry{{Op: ledger.Erase, Family: memory.Family, ItemID: x.stone.ID, Version: x.stone.Version}},
	}, nil
}
