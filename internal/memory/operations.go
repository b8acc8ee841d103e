package memory

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// OperationsOf lists the operations that gave a deleted memory its texts, each
// once: whose idempotency records an erasure empties. Merges that changed no text
// left nothing but ids.
func OperationsOf(ctx context.Context, s store.Store, scope tenant.Scope, stone *Memory, parts Parts) ([]string, error) {
	out := []string{stone.Provenance.OperationID}
	add := func(id string) {
		if id != "" && !contains(out, id) {
			out = append(out, id)
		}
	}
	add(stone.Edition.OperationID)
	items, err := getMany(ctx, s, parts.Versions)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		v, err := decodeVersion(*item)
		if err != nil {
			return nil, err
		}
		add(v.Edition.OperationID)
	}
	return out, nil
}
