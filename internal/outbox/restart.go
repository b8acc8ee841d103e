package outbox

import (
	"context"
	"errors"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// farAhead is beyond every lease and delay.
const farAhead = 24 * time.Hour

// Restarted makes everything due at once that a dead process left leased or on
// its way. Only a process that has the store to itself may call it, and only
// before its workers run: then no lease can belong to anybody alive.
func (r *Runner) Restarted(ctx context.Context) error {
	var failures []error
	for shard := range store.Shards {
		failures = append(failures, r.dueNow(ctx, shard))
	}
	return errors.Join(failures...)
}

func (r *Runner) dueNow(ctx context.Context, shard int) error {
	now := r.Clock.Now()
	var late []store.Item // gathered first: moving rows would upset the paging
	q := store.DueQuery{Shard: shard, Until: now.Add(farAhead), Limit: sweepPage}
	for {
		page, err := r.Store.Due(ctx, q)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			if item.Due != nil && item.Due.At.After(now) && !scheduled(item.Key) {
				late = append(late, item)
			}
		}
		if page.Cursor == "" {
			break
		}
		q.Cursor = page.Cursor
	}
	for _, item := range late {
		if err := r.release(ctx, item, now); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) release(ctx context.Context, item store.Item, now time.Time) error {
	if _, mark := keys.IndexMarkOf(item.Key); mark {
		item.Due.At = now
		return r.Store.Commit(ctx, store.Tx{Actions: []store.Action{store.PutItem("mark", item, nil)}})
	}
	job, err := fromItem(item)
	if err != nil {
		return nil // not a job of ours: the sweep says so
	}
	if job.State == Running {
		job.State, job.LastError = Failed, errLost.Code
	}
	job.DueAt = now
	return ignoreTaken(r.save(ctx, job, item.Attrs.Int(attrRev)))
}
