package erase

import (
	"context"
	"fmt"

	"holdfast/internal/fact"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// remains are the places that hold something of facts which are erased.
func (x *erasing) remains(ctx context.Context, ids []string) ([]found, error) {
	heads, err := x.alive(ctx, ids)
	if err != nil {
		return nil, err
	}
	versions, err := x.versionsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	documents, err := x.indexed(ctx, ids)
	return nonzero(found{"heads", heads}, found{"versions", len(versions)}, found{"index", documents}), err
}

// alive counts the facts that are no tombstones.
func (x *erasing) alive(ctx context.Context, ids []string) (int, error) {
	at := make([]store.Key, len(ids))
	for i, id := range ids {
		at[i] = keys.Fact(x.scope, id)
	}
	items, err := there(ctx, x.Store, at)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, item := range items {
		f, err := fact.Decode(item)
		if err != nil {
			return 0, err
		}
		if !f.Deleted {
			n++
		}
	}
	return n, nil
}

func (x *erasing) versionsOf(ctx context.Context, ids []string) ([]store.Key, error) {
	var out []store.Key
	for _, id := range ids {
		of, err := fact.VersionKeys(ctx, x.Store, x.scope, id)
		if err != nil {
			return nil, err
		}
		out = append(out, of...)
	}
	return out, nil
}

// indexed counts the documents of facts.
func (x *erasing) indexed(ctx context.Context, ids []string) (int, error) {
	n := 0
	for _, id := range ids {
		has, err := x.Words.Has(ctx, x.scope, id)
		if err != nil {
			return n, err
		}
		if has {
			n++
		}
	}
	return n, nil
}

// unindex writes to the index of words that there is nothing of facts, and looks.
func (x *erasing) unindex(ctx context.Context, ids []string) error {
	if err := x.Words.Refresh(ctx, x.scope, fact.Family, ids); err != nil {
		return err
	}
	n, err := x.indexed(ctx, ids)
	if err == nil && n > 0 {
		err = fmt.Errorf("%w in the index", errLeft)
	}
	return err
}
