package erase

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// step is one kind of copy. Its function answers how many were erased, or 0 when it
// has counted them in the step's row itself.
type step struct {
	name string
	do   func(ctx context.Context, row store.Key) (int, error)
}

// steps lists the copies in the order in which they go: the derived before the
// edges that lead to them.
func (x *erasing) steps() []step {
	return []step{
		{"idempotency", x.references},
		{"derived", x.derived},
		{"versions", func(ctx context.Context, row store.Key) (int, error) { return 0, x.drop(ctx, row, x.parts.Versions) }},
		{"vectors", func(ctx context.Context, row store.Key) (int, error) { return 0, x.drop(ctx, row, x.parts.Vectors) }},
		{"edges", x.edges},
		{"index", x.index},
	}
}

// stepCount is the attribute of a step's row that says how many copies went.
const stepCount = "n"

// note leaves the step's row. What an earlier try has counted stays.
func (x *erasing) note(ctx context.Context, row store.Key, name string, count int) error {
	before, _, err := x.Store.Get(ctx, row)
	if err != nil {
		return err
	}
	return x.put(ctx, store.PutItem("step", store.Item{
		Key: row,
		Attrs: store.Attrs{"name": store.S(name), stepCount: store.N(max(before.Attrs.Int(stepCount), int64(count))),
			"at": store.N(x.Clock.Now().UnixMilli())},
	}, nil))
}

// dropBatch keeps the deletes of one commit well under its limit.
const dropBatch = 90

// drop removes rows and counts them in the step's row: in the commits that remove
// them, so that a try which breaks off loses no count.
func (x *erasing) drop(ctx context.Context, row store.Key, gone []store.Key) error {
	for batch := range slices.Chunk(gone, dropBatch) {
		counted := map[string]int64{stepCount: int64(len(batch))}
		actions := []store.Action{store.AddTo("step", row, counted, nil)}
		for _, key := range batch {
			actions = append(actions, store.DeleteItem("copy", key, nil))
		}
		if err := x.put(ctx, actions...); err != nil {
			return err
		}
	}
	return nil
}

// derived takes along what rests on the erased only, and has made again or takes the
// citation from what rests on others too (R0.67): here and where it was shared to.
func (x *erasing) derived(ctx context.Context, _ store.Key) (int, error) {
	if !x.cascade {
		return 0, nil
	}
	for n, id := range x.parts.Derived {
		if err := x.uncite(ctx, x.scope, id); err != nil {
			return n, err
		}
	}
	for n, c := range x.parts.Copies {
		if err := x.uncite(ctx, x.scope.Sibling(c.WorkspaceID), c.ID); err != nil {
			return len(x.parts.Derived) + n, err
		}
	}
	return len(x.parts.Derived) + len(x.parts.Copies), nil
}

func (x *erasing) uncite(ctx context.Context, scope tenant.Scope, id string) error {
	_, err := x.Memories.Rebuild(ctx, scope, id, x.stone.ID)
	return err
}

// edges removes those that are there at both ends. A memory that cites itself,
// which a merge can make, has one edge that is both.
func (x *erasing) edges(ctx context.Context, row store.Key) (int, error) {
	gone := slices.Clone(x.parts.Edges)
	for cited := range slices.Chunk(memory.CitedEdges(x.scope, x.stone), store.MaxGetMany) {
		items, err := x.Store.GetMany(ctx, cited)
		if err != nil {
			return 0, err
		}
		for i, item := range items {
			if item != nil && !slices.Contains(gone, cited[i]) {
				gone = append(gone, cited[i])
			}
		}
	}
	return 0, x.drop(ctx, row, gone)
}

// index writes to the index that there is nothing, and looks. It counts a document a
// text.
func (x *erasing) index(ctx context.Context, _ store.Key) (int, error) {
	if err := x.Index.Refresh(ctx, x.scope, memory.Family, []string{x.stone.ID}); err != nil {
		return 0, err
	}
	return int(x.stone.Version), x.absent(ctx)
}

var errLeft = errors.New("erase: a copy is left")

// absent looks for the documents of all texts, in every partition that they can be in.
func (x *erasing) absent(ctx context.Context) error {
	for _, scope := range []tenant.Scope{x.scope, x.scope.Own()} {
		if err := x.lacks(ctx, scope, x.stone.ID); err != nil {
			return err
		}
		for _, id := range x.stone.PastIDs() {
			if err := x.lacks(ctx, scope.Past(), id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *erasing) lacks(ctx context.Context, scope tenant.Scope, id string) error {
	has, err := x.Index.Has(ctx, scope, id)
	if err == nil && has {
		err = fmt.Errorf("%w in the index", errLeft)
	}
	return err
}

// references empties what idempotency records say of the writes of this memory;
// the keys stay as tombstones for their day (T.47).
func (x *erasing) references(ctx context.Context, _ store.Key) (int, error) {
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
