package erase

import (
	"context"
	"errors"
	"slices"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
)

// copies are what there is of one deleted item: what a family knows of it.
type copies interface {
	// steps lists the kinds of copies in the order in which they go.
	steps(ctx context.Context) ([]step, error)
	// search looks for every copy and answers the places that hold one.
	search(ctx context.Context) ([]found, error)
	// entry is the log row of the end.
	entry() ledger.Entry
}

// step is one kind of copy. Its function answers how many were erased, or 0 when it
// has counted them in the step's row itself.
type step struct {
	name string
	do   func(ctx context.Context, row store.Key) (int, error)
}

// stepCount is the attribute of a step's row that says how many copies went.
const stepCount = "n"

// note leaves the step's row. What an earlier try has counted stays; what turned up
// after the erasure was complete comes to it.
func (x *erasing) note(ctx context.Context, row store.Key, name string, count int) error {
	before, _, err := x.Store.Get(ctx, row)
	if err != nil {
		return err
	}
	total := max(before.Attrs.Int(stepCount), int64(count))
	if x.again {
		total = before.Attrs.Int(stepCount) + int64(count)
	}
	return x.put(ctx, store.PutItem("step", store.Item{
		Key: row,
		Attrs: store.Attrs{"name": store.S(name), stepCount: store.N(total),
			"at": store.N(x.Clock.Now().UnixMilli())},
	}, nil))
}

// dropBatch keeps the deletes of one commit well under its limit.
const dropBatch = 90

// drop removes rows and counts them in the step's row: in the commits that remove
// them, so that a try which breaks off loses no count.
func (x *erasing) drop(ctx context.Context, row store.Key, gone []store.Key) error {
	for batch := range slices.Chunk(gone, dropBatch) {
		actions := []store.Action{counted(row, len(batch))}
		for _, key := range batch {
			actions = append(actions, store.DeleteItem("copy", key, nil))
		}
		if err := x.put(ctx, actions...); err != nil {
			return err
		}
	}
	return nil
}

// counted is the action that adds to the count of a step's row.
func counted(row store.Key, n int) store.Action {
	return store.AddTo("step", row, map[string]int64{stepCount: int64(n)}, nil)
}

var errLeft = errors.New("erase: a copy is left")
