package work

import (
	"context"

	"holdfast/internal/embed"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Embedder makes the vectors that were deferred (S0.56).
type Embedder struct {
	Store    store.Store
	Runner   *outbox.Runner
	Embedder embed.Embedder
	Indexer  *Indexer
}

// Run does one embed job.
func (e *Embedder) Run(ctx context.Context, scope tenant.Scope, jobID string) error {
	return e.Runner.Run(ctx, scope, jobID, e.work)
}

// work writes the vector, then the index, then takes the job away: a crash in
// between repeats a step that does no harm.
func (e *Embedder) work(ctx context.Context, job outbox.Job) error {
	m, err := memory.Head(ctx, e.Store, job.Scope, job.ItemID)
	if err != nil {
		return err
	}
	if m != nil && m.Indexed() { // what is in quarantine is not shown to a model
		if err := e.vector(ctx, job.Scope, m); err != nil {
			return err
		}
	}
	return e.Store.Commit(ctx, store.Tx{Actions: []store.Action{job.Done()}})
}

func (e *Embedder) vector(ctx context.Context, scope tenant.Scope, m *memory.Memory) error {
	vectors, err := e.Embedder.Embed(ctx, []string{m.Content})
	if err != nil {
		return err
	}
	row := memory.VectorItem(scope, m.ID, e.Embedder.Profile().Name(), memory.Vector{Version: m.Version, Values: vectors[0]})
	err = e.Store.Commit(ctx, store.Tx{Actions: []store.Action{
		store.PutItem("vector", row, nil), memory.StillAt(scope, m.ID, m.Version)}})
	if store.Failed(err, "head") {
		return nil // changed meanwhile: the change brought a vector or a job of its own
	}
	if err != nil {
		return err
	}
	return e.Indexer.Refresh(ctx, scope, memory.Family, []string{m.ID})
}
