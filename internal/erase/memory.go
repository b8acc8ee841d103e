package erase

import (
	"context"
	"fmt"
	"slices"

	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
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
	return x.list(), nil
}

func (x *memoryCopies) list() []step {
	return []step{
		{"idempotency", x.references},
		{"derived", x.derived},
		{"versions", func(ctx context.Context, row store.Key) (int, error) { return 0, x.drop(ctx, row, x.parts.Versions) }},
		{"vectors", func(ctx context.Context, row store.Key) (int, error) { return 0, x.drop(ctx, row, x.parts.Vectors) }},
		{"edges", x.edges},
		{"index", x.index},
		{"suggestions", x.suggestions},
		{"staged", x.staged},
		{canaryStep, x.named},
	}
}

func (x *memoryCopies) search(ctx context.Context) ([]found, error) {
	return x.searchMemory(ctx, x.scope, x.stone.ID, x.rows)
}

func (x *memoryCopies) entry() ledger.Entry {
	return ledger.Entry{Op: ledger.Erase, Family: memory.Family, ItemID: x.stone.ID, Version: x.stone.Version}
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
// text; when a copy turned up, those that were there.
func (x *memoryCopies) index(ctx context.Context, _ store.Key) (int, error) {
	n := int(x.stone.Version)
	if x.again {
		var err error
		if n, err = x.documents(ctx, x.scope, x.stone); err != nil {
			return 0, err
		}
	}
	if err := x.Index.Refresh(ctx, x.scope, memory.Family, []string{x.stone.ID}); err != nil {
		return 0, err
	}
	left, err := x.documents(ctx, x.scope, x.stone)
	if err == nil && left > 0 {
		err = fmt.Errorf("%w in the index", errLeft)
	}
	return n, err
}

// suggestions drops those that the erased has a part in, at all who have.
func (x *memoryCopies) suggestions(ctx context.Context, row store.Key) (int, error) {
	found, err := run.Suggested(ctx, x.Store, x.parts.Suggested)
	if err != nil {
		return 0, err
	}
	for i, one := range found {
		actions := append(run.Unsuggest(x.parts.Suggested[i], one), counted(row, 1))
		if err := x.put(ctx, actions...); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// staged takes the erased out of what a consolidation of its run has in hand.
func (x *memoryCopies) staged(ctx context.Context, row store.Key) (int, error) {
	if hash := stagedRun(x.stone); hash != "" {
		return 0, x.Staged.Drop(ctx, x.scope, hash, x.stone.ID, counted(row, 1))
	}
	return 0, nil
}

// stagedRun is the run whose consolidations read a deleted memory; empty: none did.
func stagedRun(stone *memory.Memory) string {
	if stone.Layer != memory.Session || stone.Deletion == nil {
		return ""
	}
	return stone.Deletion.Run
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
	if x.again {
		return 0, nil // they were counted when they were emptied
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
