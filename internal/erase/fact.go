package erase

import (
	"context"
	"errors"

	"holdfast/internal/fact"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
)

// ofFacts begins the erasure of one fact, of an end user's facts or of an experiment's.
func (x *erasing) ofFacts(ctx context.Context) (copies, error) {
	if err := x.servesFacts(); err != nil {
		return nil, err
	}
	if x.ofList() {
		return x.list(), x.sample(ctx)
	}
	stone, err := fact.Head(ctx, x.Store, x.scope, x.job.ItemID)
	if err != nil || stone == nil || !stone.Deleted {
		return nil, err
	}
	return &factCopies{x, stone.Version}, nil
}

func (e *Eraser) servesFacts() error {
	if e.Facts == nil || e.Words == nil {
		return errors.New("erase: no facts are served here")
	}
	return nil
}

// searchFacts looks for one fact, or for those of a list.
func (e *Eraser) searchFacts(ctx context.Context, c canary) ([]found, error) {
	if err := e.servesFacts(); err != nil {
		return nil, err
	}
	x := &erasing{Eraser: e, scope: c.scope, job: outbox.Job{ItemID: c.id, Args: c.args}, rows: c.rows}
	if x.ofList() {
		return x.list().search(ctx)
	}
	return (&factCopies{erasing: x}).search(ctx)
}

// reopenFacts makes tombstones of facts that are there again.
func (x *erasing) reopenFacts(ctx context.Context) error {
	if err := x.servesFacts(); err != nil {
		return err
	}
	ids, once := []string{x.job.ItemID}, x.counts((&factCopies{}).all())
	if x.ofList() {
		ids, once = x.sampled(), x.counts((&listCopies{}).all())
	}
	for _, id := range ids {
		if err := x.Facts.BuryAgain(ctx, x.scope, id, once); err != nil {
			return err
		}
	}
	return nil
}

// factCopies are those of one fact. Its rows in lists went with the delete, and are
// looked for.
type factCopies struct {
	*erasing
	version int64
}

func (x *factCopies) id() []string { return []string{x.job.ItemID} }

func (x *factCopies) steps(context.Context) ([]step, error) { return x.all(), nil }

func (x *factCopies) all() []step {
	return []step{{"versions", x.versions}, {"index", x.index}, {canaryStep, x.listed}}
}

func (x *factCopies) versions(ctx context.Context, row store.Key) (int, error) {
	gone, err := x.versionsOf(ctx, x.id())
	if err != nil {
		return 0, err
	}
	return 0, x.drop(ctx, row, gone)
}

// index counts one document; when a copy turned up, the one that was there.
func (x *factCopies) index(ctx context.Context, _ store.Key) (int, error) {
	n := 1
	if x.again {
		var err error
		if n, err = x.indexed(ctx, x.id()); err != nil {
			return 0, err
		}
	}
	return n, x.unindex(ctx, x.id())
}

// listed removes what lists the erased. At a first erasure that is nothing.
func (x *factCopies) listed(ctx context.Context, row store.Key) (int, error) {
	items, err := there(ctx, x.Store, x.rows)
	if err != nil {
		return 0, err
	}
	var gone []store.Key
	for _, item := range items {
		gone = append(gone, item.Key)
	}
	return 0, x.drop(ctx, row, gone)
}

func (x *factCopies) search(ctx context.Context) ([]found, error) {
	items, err := there(ctx, x.Store, x.rows)
	if err != nil {
		return nil, err
	}
	left, err := x.remains(ctx, x.id())
	return append(left, nonzero(found{"rows", len(items)})...), err
}

func (x *factCopies) entry() ledger.Entry {
	return ledger.Entry{Op: ledger.Erase, Family: fact.Family, ItemID: x.job.ItemID, Version: x.version}
}
