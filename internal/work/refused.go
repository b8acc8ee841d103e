package work

import (
	"context"
	"errors"
	"slices"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// refusal is the error of an Apply that did everything but for some items, which the
// index will not take however often it is asked.
type refusal struct {
	items []string
	cause error
}

// Error tells why.
func (r *refusal) Error() string { return "work: " + r.cause.Error() }

// Unwrap gives the causes.
func (r *refusal) Unwrap() error { return r.cause }

// verdict is the error of operations on items: a refusal only where none failed
// otherwise, since all of them are tried again then.
func verdict(items []string, failures []error) error {
	r := refusal{cause: errors.Join(failures...)}
	for i, err := range failures {
		switch {
		case err == nil:
		case !search.Lasting(err):
			return r.cause
		case !slices.Contains(r.items, items[i]):
			r.items = append(r.items, items[i])
		}
	}
	if r.items == nil {
		return nil
	}
	return &r
}

// putAside leaves what the index refused to jobs, so that it holds up nothing behind it
// in the log (T.20). The job of a change is the same however often the change is applied.
func (x *Indexer) putAside(ctx context.Context, scope tenant.Scope, items []string, latest map[string]ledger.Row) error {
	for _, id := range items {
		row := latest[id]
		job := outbox.Job{
			ID: ids.Derived(row.At, row.Sequence, string(outbox.Index), scope.WorkspaceID(), id), Kind: outbox.Index, Scope: scope, ItemID: id,
			Args: map[string]string{argFamily: row.Entry.Family}, State: outbox.Pending, CreatedAt: row.At, DueAt: row.At,
		}
		action, err := job.Put("job")
		if err != nil {
			return err
		}
		err = x.Store.Commit(ctx, store.Tx{Actions: []store.Action{action}})
		if err != nil && !store.Failed(err, "job") {
			return err
		}
	}
	return nil
}

const argFamily = "family"

// Refused does the jobs of items that the index refused.
type Refused struct {
	Runner  *outbox.Runner
	Indexer *Indexer
}

// Run does one of them.
func (r *Refused) Run(ctx context.Context, scope tenant.Scope, jobID string) error {
	return r.Runner.Run(ctx, scope, jobID, r.work)
}

// work writes what is true now of the item, and takes the job away.
func (r *Refused) work(ctx context.Context, job outbox.Job) error {
	err := r.Indexer.refresh(ctx, job.Scope, job.Args[argFamily], []Change{{ID: job.ItemID, From: 1}})
	var refused *refusal
	if errors.As(err, &refused) {
		return errs.Wrap(errs.Internal, "INDEX_REFUSED", "The index does not take this item.", err)
	}
	if err != nil {
		return err
	}
	return r.Indexer.Store.Commit(ctx, store.Tx{Actions: []store.Action{job.Done()}})
}
