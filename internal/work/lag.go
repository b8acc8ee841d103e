package work

import (
	"context"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Lag measures how far indexes are behind their logs.
type Lag struct {
	Store   store.Store
	Cursors Cursors
	Clock   clock.Clock
	Runner  *outbox.Runner
}

// Oldest answers how long the oldest log row that no index has reached has been
// waiting; 0 when every index is up to date.
func (l Lag) Oldest(ctx context.Context) (time.Duration, error) {
	var oldest time.Duration
	err := l.Runner.Marked(ctx, func(scope tenant.Scope) error {
		reached, err := l.Cursors.Cursor(ctx, scope)
		if err != nil {
			return err
		}
		row, found, err := ledger.Log{Store: l.Store}.Row(ctx, scope, reached+1)
		if err == nil && found {
			oldest = max(oldest, l.Clock.Now().Sub(row.At))
		}
		return err
	})
	return oldest, err
}
