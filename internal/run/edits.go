package run

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

const attrEdits = "n"

// Edited is the action that counts an edit of one of a run's session entries: what
// a consolidation has read of them is old.
func Edited(label string, scope tenant.Scope, hash string) store.Action {
	return store.AddTo(label, keys.RunEdits(scope, hash), map[string]int64{attrEdits: 1}, nil)
}

// Edits answers how often a run's session entries were edited.
func Edits(ctx context.Context, s store.Store, scope tenant.Scope, hash string) (int64, error) {
	item, _, err := s.Get(ctx, keys.RunEdits(scope, hash))
	return item.Attrs.Int(attrEdits), err
}

// Unedited is the action that checks that none was edited since they were counted.
func Unedited(label string, scope tenant.Scope, hash string, edits int64) store.Action {
	cond := store.IfAbsent()
	if edits > 0 {
		cond = store.IfEqual(attrEdits, store.N(edits))
	}
	return store.CheckItem(label, keys.RunEdits(scope, hash), cond)
}
