package erase

import (
	"context"
	"fmt"
	"slices"

	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// memoryCopies are those of one memory.
type memoryCopies struct {
	*erasing
	stone   *memory.Memory
	cascade bool
	parts   memory.Parts
}

// ofMemory begins the erasure of a memory; nil when it was not deleted.
func (x *erasing) ofMemory(ctx context.Context) (copies, error) {
	stone, err := memory.Head(ctx, x.Store, x.scope, x.job.ItemID)
	if err != nil || stone == nil || !stone.IsDeleted() {
		return nil, err
	}
	return &memoryCopies{erasing: x, stone: stone, cascade: x.job.Args[memory.ArgCascade] == "true"}, nil
}

// steps lists the copies in the order in which they go: the derived before the
// edges that lead to them.
func (x *memoryCopies) steps(ctx context.Context) ([]step, error) {
	var err error
	if x.parts, err = memory.LoadParts(ctx, x.Store, x.scope, x.stone.ID); err != nil {
		return nil, err
	}
	return []step{
		{"idempotency", x.references},
		{"derived", x.derived},
		{"versions", func(ctx context.Context, row store.Key) (int, error) { return 0, x.drop(ctx, row, x.parts.Versions) }},
		{"vectors", func(ctx context.Context, row store.Key) (int, error) { return 0, x.drop(ctx, row, x.parts.Vectors) }},
		{"edges", x.edges},
		{"index", x.index},
	}, nil
}

// left reads every copy again.
func (x *memoryCopies) left(ctx context.Context) error {
	left, err := memory.LoadParts(ctx, x.Store, x.scope, x.stone.ID)
	if err != nil {
		return err
	}
	if n := len(left.Versions) + len(left.Vectors) + len(left.Edges); n > 0 {
		return fmt.Errorf("%w: %d rows", errLeft, n)
	}
	return x.absent(ctx)
}

func (x *memoryCopies) entry() ledger.Entry {
	return ledger.Entry{Op: ledger.Erase, Family: memory.Family, ItemID: x.stone.ID, Version: x.stone.Version}
}

// derived takes along what rests on the erased only, and has made again or takes the
// citation from what rests on others too (R0.67): here and where it was shared to.
func (x *memoryCopies) derived(ctx context.Context, _ store.Key) (int, error) {
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

func (x *memoryCopies) uncite(ctx context.Context, scope tenant.Scope, id string) error {
	_, err := x.Memories.Rebuild(ctx, scope, id, x.stone.ID)
	return err
}

// edges removes those that are there at both ends. A memory that cites itself,
// which a merge can make, has one edge that is both.
func (x *memoryCopies) edges(ctx context.Context, row store.Key) (int, error) {
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
func (x *memoryCopies) index(ctx context.Context, _ store.Key) (int, error) {
	if err := x.Index.Refresh(ctx, x.scope, memory.Family, []string{x.stone.ID}); err != nil {
		return 0, err
	}
	return int(x.stone.Version), x.absent(ctx)
}

// absent looks for the documents of all texts, in every partition that they can be in.
func (x *memoryCopies) absent(ctx context.Context) error {
	for _, scope := range []tenant.Scope{x.scope, x.scope.Own()} {
		if err := lacks(ctx, x.Index, scope, x.stone.ID); err != nil {
			return err
		}
		for _, id := range x.stone.PastIDs() {
			if err := lacks(ctx, x.Index, scope.Past(), id); err != nil {
				return err
			}
		}
	}
	return nil
}

// references empties what idempotency records say of the writes of this memory;
// the keys stay as tombstones for their day (T.47).
func (x *memoryCopies) references(ctx context.Context, _ store.Key) (int, error) {
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

func (x *memoryCopies) forget(ctx context.Context, key idem.Key, operation string) error {
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
