package memory

import (
	"context"
	"fmt"

	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Load reads memories by id, in the order asked. A memory that is not there, was
// deleted, or was said in a stretch that is cleared, is nil.
func Load(ctx context.Context, s store.Store, scope tenant.Scope, ids []string) ([]*Memory, error) {
	out, err := loadHeads(ctx, s, scope, ids)
	for i, m := range out {
		if m != nil && m.IsDeleted() {
			out[i] = nil
		}
	}
	return out, err
}

// loadHeads is Load with tombstones.
func loadHeads(ctx context.Context, s store.Store, scope tenant.Scope, list []string) ([]*Memory, error) {
	at := make([]store.Key, len(list))
	for i, id := range list {
		at[i] = keys.Memory(scope, id)
	}
	items, err := getMany(ctx, s, at)
	if err != nil {
		return nil, err
	}
	out := make([]*Memory, len(list))
	for i, item := range items {
		if item == nil {
			continue
		}
		if out[i], err = Decode(*item); err != nil {
			return nil, err
		}
	}
	return out, withoutCleared(ctx, s, scope, out)
}

// Head reads one HEAD row, a tombstone too; nil when there is none, and for a session
// entry whose stretch is cleared. Any text may be asked for.
func Head(ctx context.Context, s store.Store, scope tenant.Scope, id string) (*Memory, error) {
	m, err := row(ctx, s, scope, id)
	if err != nil || m == nil {
		return nil, err
	}
	list := []*Memory{m}
	err = withoutCleared(ctx, s, scope, list)
	return list[0], err
}

// row is Head with what is cleared but not yet a tombstone.
func row(ctx context.Context, s store.Store, scope tenant.Scope, id string) (*Memory, error) {
	if !ids.Valid(id) {
		return nil, nil
	}
	item, found, err := s.Get(ctx, keys.Memory(scope, id))
	if err != nil || !found {
		return nil, err
	}
	return Decode(item)
}

// LoadVectors reads the vectors of memories in one profile, in the order asked;
// a memory without one has zero values. Callers compare Version with the
// memory's: a vector of another version is of another text.
func LoadVectors(ctx context.Context, s store.Store, scope tenant.Scope, ids []string, profile string) ([]Vector, error) {
	at := make([]store.Key, len(ids))
	for i, id := range ids {
		at[i] = keys.MemoryVector(scope, id, profile)
	}
	items, err := getMany(ctx, s, at)
	if err != nil {
		return nil, err
	}
	out := make([]Vector, len(ids))
	for i, item := range items {
		if item == nil {
			continue
		}
		if out[i], err = decodeVector(*item); err != nil {
			return nil, fmt.Errorf("memory: stored vector: %w", err)
		}
	}
	return out, nil
}

// getMany reads any number of keys, a page of the port at a time; a key may
// occur more than once.
func getMany(ctx context.Context, s store.Store, at []store.Key) ([]*store.Item, error) {
	found := make(map[store.Key]*store.Item, len(at))
	var page []store.Key
	for i, key := range at {
		if _, known := found[key]; !known {
			found[key] = nil
			page = append(page, key)
		}
		if len(page) == store.MaxGetMany || i == len(at)-1 && len(page) > 0 {
			items, err := s.GetMany(ctx, page)
			if err != nil {
				return nil, err
			}
			for j, item := range items {
				found[page[j]] = item
			}
			page = page[:0]
		}
	}
	out := make([]*store.Item, len(at))
	for i, key := range at {
		out[i] = found[key]
	}
	return out, nil
}

// Parts are the keys of a memory's rows besides HEAD, for erasure.
type Parts struct {
	Versions []store.Key // earlier texts
	Vectors  []store.Key
	Edges    []store.Key // of those that cite it and of those that it superseded
	Derived  []string    // ids of those of this workspace that cite it
	Copies   []Copy      // those of other workspaces that it was shared to

	Suggested []store.Key // of the suggestions that it has a part in
}

// Copy is a memory of another workspace that was shared from here (R0.80).
type Copy struct{ WorkspaceID, ID string }

// LoadParts lists the rows that an erasure of the memory has to remove.
func LoadParts(ctx context.Context, s store.Store, scope tenant.Scope, id string) (Parts, error) {
	var out Parts
	q := store.Query{PK: keys.MemoryPK(scope, id)}
	for {
		page, err := s.Query(ctx, q)
		if err != nil {
			return Parts{}, err
		}
		for _, item := range page.Items {
			out.add(item)
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

func (p *Parts) add(item store.Item) {
	key := item.Key
	switch {
	case hasPrefix(key.SK, keys.VersionPrefix):
		p.Versions = append(p.Versions, key)
	case hasPrefix(key.SK, keys.VectorPrefix):
		p.Vectors = append(p.Vectors, key)
	case hasPrefix(key.SK, keys.DerivedPrefix):
		p.Edges = append(p.Edges, key)
		id := key.SK[len(keys.DerivedPrefix):]
		if workspace := item.Attrs.Text(attrWorkspace); workspace != "" {
			p.Copies = append(p.Copies, Copy{workspace, id})
		} else {
			p.Derived = append(p.Derived, id)
		}
	case hasPrefix(key.SK, keys.SupersededPrefix):
		p.Edges = append(p.Edges, key)
	case hasPrefix(key.SK, keys.SuggestedPrefix):
		p.Suggested = append(p.Suggested, key)
	}
}

func hasPrefix(s, prefix string) bool { return len(s) > len(prefix) && s[:len(prefix)] == prefix }

// CitedEdges are the edges to a deleted memory that stand elsewhere: at those which
// it was derived from, in other workspaces too, and at the value that took its place.
// An erasure removes them too.
func CitedEdges(scope tenant.Scope, m *Memory) []store.Key {
	cites, elsewhere, by := m.Cites(), m.Provenance.Elsewhere, m.Temporal.SupersededBy
	if d := m.Deletion; d != nil {
		cites, elsewhere, by = d.Cites, d.Elsewhere, d.SupersededBy
	}
	var out []store.Key
	for _, id := range cites {
		out = append(out, keys.Derived(scope, id, m.ID))
	}
	for id, workspace := range elsewhere {
		out = append(out, keys.Derived(scope.Sibling(workspace), id, m.ID))
	}
	if by != "" {
		out = append(out, keys.Superseded(scope, by, m.ID))
	}
	return out
}
