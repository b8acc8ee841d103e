package erase

import (
	"context"

	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// derived takes along what rests on the erased only, and has made again or takes the
// citation from what rests on others too (R0.67): here and where it was shared to. Each
// is counted in its own commit. The index is then brought up to the log, since what was
// made again has documents of texts that are gone; what goes has an erasure of its own.
func (x *memoryCopies) derived(ctx context.Context, row store.Key) (int, error) {
	if !x.cascade {
		return 0, nil
	}
	all := placed(x.scope, x.parts)
	for _, at := range all {
		if err := x.uncite(ctx, row, at, x.stone.ID); err != nil {
			return 0, err
		}
	}
	synced := map[tenant.Scope]bool{}
	for _, at := range append(all, place{scope: x.scope}) {
		if synced[at.scope] {
			continue
		}
		synced[at.scope] = true
		if err := x.Index.Sync(ctx, at.scope); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// place is where a memory lies.
type place struct {
	scope tenant.Scope
	id    string
}

// placed are the memories that are derived from one of a scope.
func placed(scope tenant.Scope, parts memory.Parts) []place {
	var out []place
	for _, id := range parts.Derived {
		out = append(out, place{scope, id})
	}
	for _, c := range parts.Copies {
		out = append(out, place{scope.Sibling(c.WorkspaceID), c.ID})
	}
	return out
}

// uncite takes an erased memory out of one that is derived from it.
func (x *memoryCopies) uncite(ctx context.Context, row store.Key, at place, erasedID string) error {
	if err := x.copies(ctx, row, at, erasedID); err != nil {
		return err
	}
	_, err := x.Memories.Rebuild(ctx, at.scope, at.id, erasedID, counted(row, 1))
	return err
}

// copies forgets the copies of a text that is about to be made again without the
// erased: they say what it said, and nothing leads to them afterwards. What only cites
// it has words of its own, and stays.
func (x *memoryCopies) copies(ctx context.Context, row store.Key, at place, erasedID string) error {
	m, err := memory.Head(ctx, x.Store, at.scope, at.id)
	if err != nil || m == nil || m.IsDeleted() || !m.Remade(erasedID) {
		return err
	}
	parts, err := memory.LoadParts(ctx, x.Store, at.scope, at.id)
	if err != nil {
		return err
	}
	for _, child := range placed(at.scope, parts) {
		c, err := memory.Head(ctx, x.Store, child.scope, child.id)
		if err != nil {
			return err
		}
		if c == nil || c.IsDeleted() || c.Content != m.Content || !c.CitesOnly(m.ID) {
			continue
		}
		if _, err := x.Memories.Rebuild(ctx, child.scope, child.id, m.ID, counted(row, 1)); err != nil {
			return err
		}
	}
	return nil
}
