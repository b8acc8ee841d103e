package run

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

const attrTokens = "n"

// ModelTokens answers how many tokens of a paid model a workspace has used in the
// month of an instant.
func ModelTokens(ctx context.Context, s store.Store, scope tenant.Scope, at time.Time) (int64, error) {
	item, _, err := s.Get(ctx, keys.ModelTokens(scope, at))
	return item.Attrs.Int(attrTokens), err
}

// SpendTokens is the action that counts tokens.
func SpendTokens(label string, scope tenant.Scope, at time.Time, tokens int) store.Action {
	return store.AddTo(label, keys.ModelTokens(scope, at), map[string]int64{attrTokens: int64(tokens)}, nil)
}
