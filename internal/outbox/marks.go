package outbox

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Marked visits every scope whose index may lag behind its log, due or not.
func (r *Runner) Marked(ctx context.Context, visit func(tenant.Scope) error) error {
	for shard := range store.Shards {
		q := store.DueQuery{Shard: shard, Until: r.Clock.Now().Add(farAhead), Limit: sweepPage}
		for {
			page, err := r.Store.Due(ctx, q)
			if err != nil {
				return err
			}
			for _, item := range page.Items {
				scope, ok := keys.ScopeOf(item.Key)
				if !ok || item.Key != keys.IndexMark(scope) {
					continue
				}
				if err := visit(scope); err != nil {
					return err
				}
			}
			if page.Cursor == "" {
				break
			}
			q.Cursor = page.Cursor
		}
	}
	return nil
}
