package erase

import (
	"context"
	"strconv"

	"holdfast/internal/fact"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// listCopies are those of all facts of a list, and of the memory itself where that goes
// too. The index is looked at page by page, before the rows that lead to a page go.
//
// A list has one canary, however many facts it held. It looks for rows of the list, none
// of which anybody may write again: a folder's list is of one generation, and that of an
// experiment closes with it. So what is there has come back, and leads to its facts; what
// the same end user has written since is in another list. And it looks for some facts one
// by one, also in the index of words, which cannot be asked for a list without an end
// user's name: the page of them that went first, which is all of most lists. Of a fact
// beyond that it finds what is listed.
type listCopies struct {
	*erasing
	fact.Clearing
}

// ofList tells a job of a list.
func (x *erasing) ofList() bool { return x.job.Args[fact.ArgList] != "" }

func (x *erasing) list() *listCopies {
	return &listCopies{x, fact.Clearing{Facts: x.Facts, Scope: x.scope, Space: x.job.Args[fact.ArgSpace],
		List: x.job.Args[fact.ArgList], Whole: x.job.Args[fact.ArgWhole] == "true", Copies: x.unindex}}
}

// sample chooses the facts that are looked for one by one, unless that was done before.
func (x *erasing) sample(ctx context.Context) error {
	if len(x.rows) > 0 {
		return nil
	}
	var err error
	x.rows, err = x.list().Sample(ctx)
	return err
}

// sampled are the ids of the facts that are looked for one by one.
func (x *erasing) sampled() []string {
	var out []string
	for _, key := range x.rows {
		if _, id, ok := keys.FactOf(key); ok {
			out = append(out, id)
		}
	}
	return out
}

func (x *listCopies) steps(context.Context) ([]step, error) { return x.all(), nil }

func (x *listCopies) all() []step {
	return []step{{"facts", x.facts}, {"counts", x.spaces}, {canaryStep, x.named}}
}

// facts empties the list. What came back is taken off no count: it was added to none.
func (x *listCopies) facts(ctx context.Context, row store.Key) (int, error) {
	c := x.Clearing
	c.Whole = c.Whole && !x.again
	c.Drop = func(ctx context.Context, gone []store.Key) error { return x.drop(ctx, row, gone) }
	return 0, c.Run(ctx)
}

func (x *listCopies) spaces(ctx context.Context, row store.Key) (int, error) {
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

// named removes what came back of the facts that are looked for one by one.
func (x *listCopies) named(ctx context.Context, row store.Key) (int, error) {
	if !x.again {
		return 0, nil
	}
	gone, err := x.versionsOf(ctx, x.sampled())
	if err != nil {
		return 0, err
	}
	if err := x.drop(ctx, row, gone); err != nil {
		return 0, err
	}
	n, err := x.indexed(ctx, x.sampled())
	if err != nil || n == 0 {
		return 0, err
	}
	return n, x.unindex(ctx, x.sampled())
}

func (x *listCopies) search(ctx context.Context) ([]found, error) {
	listed, err := x.Left(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := x.spaceRows(ctx)
	if err != nil {
		return nil, err
	}
	left, err := x.remains(ctx, x.sampled())
	return append(left, nonzero(found{"list", listed}, found{"counts", len(rows)})...), err
}

func (x *listCopies) entry() ledger.Entry {
	version, _ := strconv.ParseInt(x.job.Args[fact.ArgVersion], 10, 64) // 0 of an experiment, which has none
	return ledger.Entry{Op: ledger.Erase, Family: fact.Family, ItemID: x.job.ItemID, Version: version}
}
