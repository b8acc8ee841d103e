package erase

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"holdfast/internal/fact"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
)

// ofFacts begins the erasure of one fact, of an end user's facts or of an experiment's.
func (x *erasing) ofFacts(ctx context.Context) (copies, error) {
	if x.Facts == nil || x.Words == nil {
		return nil, errors.New("erase: no facts are served here")
	}
	if list := x.job.Args[fact.ArgList]; list != "" {
		return &listCopies{x, fact.Clearing{Facts: x.Facts, Scope: x.scope, Space: x.job.Args[fact.ArgSpace], List: list,
			Whole: x.job.Args[fact.ArgWhole] == "true", Copies: x.unindex}}, nil
	}
	stone, err := fact.Head(ctx, x.Store, x.scope, x.job.ItemID)
	if err != nil || stone == nil || !stone.Deleted {
		return nil, err
	}
	return &factCopies{x, stone}, nil
}

// unindex writes to the index of words that there is nothing of facts, and looks.
func (x *erasing) unindex(ctx context.Context, ids []string) error {
	if err := x.Words.Refresh(ctx, x.scope, fact.Family, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := lacks(ctx, x.Words, x.scope, id); err != nil {
			return err
		}
	}
	return nil
}

// factCopies are those of one fact. Its rows in lists went with the delete.
type factCopies struct {
	*erasing
	stone *fact.Fact
}

func (x *factCopies) steps(context.Context) ([]step, error) {
	return []step{
		{"versions", func(ctx context.Context, row store.Key) (int, error) {
			gone, err := fact.VersionKeys(ctx, x.Store, x.scope, x.stone.ID)
			if err != nil {
				return 0, err
			}
			return 0, x.drop(ctx, row, gone)
		}},
		{"index", func(ctx context.Context, _ store.Key) (int, error) { return 1, x.unindex(ctx, []string{x.stone.ID}) }},
	}, nil
}

func (x *factCopies) left(ctx context.Context) error {
	left, err := fact.VersionKeys(ctx, x.Store, x.scope, x.stone.ID)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("%w: %d rows", errLeft, len(left))
	}
	return lacks(ctx, x.Words, x.scope, x.stone.ID)
}

// watched asks for no looks: canaries are of memories.
func (x *factCopies) watched(time.Time) []store.Action { return nil }

func (x *factCopies) entry() ledger.Entry {
	return ledger.Entry{Op: ledger.Erase, Family: fact.Family, ItemID: x.stone.ID, Version: x.stone.Version}
}

// listCopies are those of all facts of a list, and of the memory itself where that goes
// too. The index is looked at page by page, before the rows that lead to a page go.
type listCopies struct {
	*erasing
	fact.Clearing
}

func (x *listCopies) steps(context.Context) ([]step, error) {
	return []step{{"facts", x.facts}, {"counts", x.counts}}, nil
}

func (x *listCopies) facts(ctx context.Context, row store.Key) (int, error) {
	c := x.Clearing
	c.Drop = func(ctx context.Context, gone []store.Key) error { return x.drop(ctx, row, gone) }
	return 0, c.Run(ctx)
}

func (x *listCopies) counts(ctx context.Context, row store.Key) (int, error) {
	gone, err := x.spaceRows(ctx)
	if err != nil {
		return 0, err
	}
	return 0, x.drop(ctx, row, gone)
}

func (x *listCopies) spaceRows(ctx context.Context) ([]store.Key, error) {
	if !x.Whole {
		return nil, nil
	}
	return fact.SpaceRows(ctx, x.Store, x.scope, x.Space)
}

func (x *listCopies) left(ctx context.Context) error {
	left, err := x.Left(ctx)
	if err != nil {
		return err
	}
	rows, err := x.spaceRows(ctx)
	if err != nil {
		return err
	}
	if left || len(rows) > 0 {
		return errLeft
	}
	return nil
}

func (x *listCopies) watched(time.Time) []store.Action { return nil }

func (x *listCopies) entry() ledger.Entry {
	version, _ := strconv.ParseInt(x.job.Args[fact.ArgVersion], 10, 64) // 0 of an experiment, which has none
	return ledger.Entry{Op: ledger.Erase, Family: fact.Family, ItemID: x.job.ItemID, Version: version}
}
