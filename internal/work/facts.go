package work

import (
	"context"
	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
	"holdfast/internal/tenant"
)

// projectFacts writes what is true now of facts to the index of words. It follows the
// same log with the same cursor as the other index.
func (x *Indexer) projectFacts(ctx context.Context, scope tenant.Scope, changes []Change, version func(id string) int64) error {
	ids := make([]string, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	ops, err := factsearch.Project(ctx, x.Facts, scope, ids)
	if err != nil {
		return err
	}
	items := make([]string, len(ops))
	for i := range ops {
		items[i] = ops[i].Document.ID
		ops[i].Document.Sequence = version(items[i])
	}
	return verdict(items, x.Words.Apply(ctx, ops))
}

// WordsCopy is the copy of facts in the index of words, for their erasure.
type WordsCopy struct{ *Indexer }

// Refresh writes what is true now of facts.
func (w WordsCopy) Refresh(ctx context.Context, scope tenant.Scope, _ string, ids []string) error {
	return w.Indexer.Refresh(ctx, scope, fact.Family, ids)
}

// Has tells whether a document is left.
func (w WordsCopy) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	return w.Words.Has(ctx, scope, id)
}
