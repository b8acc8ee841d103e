package work

import (
	"context"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Memories projects memories into the index: the current text, and beside it each
// earlier one in the partition of such texts.
type Memories struct {
	Store   store.Store
	Profile string // of the vectors to index
}

// Project implements Projector: upserts of what recall may see, else deletes.
func (p Memories) Project(ctx context.Context, scope tenant.Scope, changes []Change) ([]search.Op, error) {
	ids := make([]string, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	memories, err := memory.Heads(ctx, p.Store, scope, ids)
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
			ops = append(ops, remove(scope, ids[i], m)...)
			continue
		}
		var vector []float32
		if vectors[i].Version == m.Version {
			vector = vectors[i].Values
		}
		ops = append(ops, search.Op{Document: memory.Document(scope, m, 0, vector, p.Profile)})
	}
	earlier, err := p.earlier(ctx, scope, memories, changes)
	return append(ops, earlier...), err
}

// earlier upserts the earlier texts of what recall may see, and deletes those that are
// gone: a text that was made again without what was erased leaves none behind.
func (p Memories) earlier(ctx context.Context, scope tenant.Scope, memories []*memory.Memory, changes []Change) ([]search.Op, error) {
	var asked []memory.TextID
	var of []*memory.Memory
	for i, m := range memories {
		if m == nil || !m.Indexed() {
			continue
		}
		for v := changes[i].From; v < m.Version; v++ {
			asked, of = append(asked, memory.TextID{ID: m.ID, Version: v}), append(of, m)
		}
	}
	texts, err := memory.LoadEarlier(ctx, p.Store, scope, asked, p.Profile)
	if err != nil {
		return nil, err
	}
	var ops []search.Op
	for i, e := range texts {
		switch {
		case e == nil:
			m := of[i]
			ops = append(ops, gone(m.IndexScope(scope).Past(), memory.PastID(m.ID, asked[i].Version), m.ID))
		case !e.Held:
			ops = append(ops, pastOp(scope, of[i], e, 0, p.Profile))
		}
	}
	return ops, nil
}

func pastOp(scope tenant.Scope, m *memory.Memory, e *memory.Earlier, sequence int64, profile string) search.Op {
	return search.Op{Document: memory.PastDocument(scope, m, e.Version, sequence, e.Vector, profile)}
}

// remove deletes the documents of all texts from every partition that they can be
// in, whatever layer the memory has now. m is what is left of it, nil for nothing.
func remove(scope tenant.Scope, id string, m *memory.Memory) []search.Op {
	var ops []search.Op
	for _, at := range []tenant.Scope{scope, scope.Own()} {
		ops = append(ops, gone(at, id, id))
		if m == nil {
			continue
		}
		for _, past := range m.PastIDs() {
			ops = append(ops, gone(at.Past(), past, id))
		}
	}
	return ops
}

func gone(scope tenant.Scope, id, item string) search.Op {
	return search.Op{Delete: true, Document: search.Document{Scope: scope, ID: id, Item: item}}
}
