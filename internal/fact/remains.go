package fact

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// VersionKeys lists the rows of a fact's earlier versions.
func VersionKeys(ctx context.Context, s store.Store, scope tenant.Scope, id string) ([]store.Key, error) {
	return keysOf(ctx, s, store.Query{PK: keys.FactPK(scope, id), Prefix: keys.VersionPrefix})
}

func keysOf(ctx context.Context, s store.Store, q store.Query) ([]store.Key, error) {
	var out []store.Key
	for {
		page, err := s.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			out = append(out, item.Key)
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

// SpaceRows lists what is left of a memory without facts: the rows of its counts and of
// users' folders.
func SpaceRows(ctx context.Context, s store.Store, scope tenant.Scope, space string) ([]store.Key, error) {
	counts, err := keysOf(ctx, s, store.Query{PK: keys.FactCountPK(scope, space)})
	if err != nil {
		return nil, err
	}
	folders, err := keysOf(ctx, s, store.Query{PK: keys.FactUserPK(scope, space)})
	return append(counts, folders...), err
}
