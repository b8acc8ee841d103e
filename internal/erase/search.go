package erase

import (
	"context"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// searchMemory looks for a memory. One that is there again as a memory is found as that.
func (e *Eraser) searchMemory(ctx context.Context, scope tenant.Scope, id string, rows []store.Key) ([]found, error) {
	stone, err := memory.Head(ctx, e.Store, scope, id)
	if err != nil || stone == nil {
		return nil, err
	}
	if !stone.IsDeleted() {
		return []found{{"head", 1}}, nil
	}
	parts, err := memory.LoadParts(ctx, e.Store, scope, id)
	if err != nil {
		return nil, err
	}
	elsewhere, err := there(ctx, e.Store, memory.CitedEdges(scope, stone))
	if err != nil {
		return nil, err
	}
	named, err := e.naming(ctx, scope, stone, rows)
	if err != nil {
		return nil, err
	}
	staged := 0
	if hash := stagedRun(stone); hash != "" {
		if staged, err = e.Staged.Citing(ctx, scope, hash, id); err != nil {
			return nil, err
		}
	}
	documents, err := e.documents(ctx, scope, stone)
	return nonzero(found{"versions", len(parts.Versions)}, found{"vectors", len(parts.Vectors)}, found{"edges", len(parts.Edges) + len(elsewhere)},
		found{"suggestions", len(parts.Suggested)}, found{"rows", len(named)}, found{"staged", staged}, found{"index", documents}), err
}

// documents counts those of all texts, in every partition that they can be in.
func (e *Eraser) documents(ctx context.Context, scope tenant.Scope, stone *memory.Memory) (int, error) {
	n := 0
	look := func(at tenant.Scope, id string) error {
		has, err := e.Index.Has(ctx, at, id)
		if has {
			n++
		}
		return err
	}
	for _, at := range []tenant.Scope{scope, scope.Own()} {
		if err := look(at, stone.ID); err != nil {
			return n, err
		}
		for _, id := range stone.PastIDs() {
			if err := look(at.Past(), id); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// there are those of the keys that have a row, each once.
func there(ctx context.Context, s store.Store, list []store.Key) ([]store.Item, error) {
	var out []store.Item
	for some := range slices.Chunk(distinct(list), store.MaxGetMany) {
		items, err := s.GetMany(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if item != nil {
				out = append(out, *item)
			}
		}
	}
	return out, nil
}

func distinct(list []store.Key) []store.Key {
	var out []store.Key
	for _, key := range list {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// naming are the actions that remove what lists the erased, and take it out of the
// look-up rows that name it.
func (e *Eraser) naming(ctx context.Context, scope tenant.Scope, stone *memory.Memory, rows []store.Key) ([]store.Action, error) {
	var out []store.Action
	listed, err := there(ctx, e.Store, memory.Traces(scope, stone))
	if err != nil {
		return nil, err
	}
	for _, item := range listed {
		out = append(out, store.DeleteItem("trace", item.Key, nil))
	}
	lookUps, err := there(ctx, e.Store, rows)
	if err != nil {
		return nil, err
	}
	for _, item := range lookUps {
		action, named, err := memory.Unname(item, stone.ID, e.IDs.New())
		if err != nil {
			return nil, err
		}
		if named {
			out = append(out, action)
		}
	}
	return out, nil
}

// canaryStep is the step that counts what listed or named the erased, and what came back
// after it was erased.
const canaryStep = "canary"

// named removes what lists or names the erased. At a first erasure that is nothing: the
// deletion took it along.
func (x *memoryCopies) named(ctx context.Context, row store.Key) (int, error) {
	actions, err := x.naming(ctx, x.scope, x.stone, x.rows)
	if err != nil {
		return 0, err
	}
	for _, action := range actions {
		if err := x.put(ctx, action, counted(row, 1)); err != nil {
			return 0, err
		}
	}
	return 0, nil
}
