package work

import (
	"context"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Memories projects memories into the index.
type Memories struct {
	Store   store.Store
	Profile string // of the vectors to index
}

// Project implements Projector: an upsert of what recall may see, else a delete.
func (p Memories) Project(ctx context.Context, scope tenant.Scope, ids []string) ([]search.Op, error) {
	memories, err := memory.Load(ctx, p.Store, scope, ids)
	if err != nil {
		return nil, err
	}
	vectors, err := memory.LoadVectors(ctx, p.Store, scope, ids, p.Profile)
	if err != nil {
		return nil, err
	}
	var ops []search.Op
	for i, m := range memories {
		if m == nil || !m.Indexed() {
			ops = append(ops, p.remove(scope, ids[i])...)
			continue
		}
		var vector []float32
		if vectors[i].Version == m.Version {
			vector = vectors[i].Values
		}
		ops = append(ops, search.Op{Document: memory.Document(scope, m, 0, vector, p.Profile)})
	}
	return ops, nil
}

// remove deletes from both partitions that the document can be in: a tombstone
// does not say which layer it had.
func (p Memories) remove(scope tenant.Scope, id string) []search.Op {
	return []search.Op{
		{Delete: true, Document: search.Document{Scope: scope, ID: id}},
		{Delete: true, Document: search.Document{Scope: scope.Own(), ID: id}},
	}
}
