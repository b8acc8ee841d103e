package outbox

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// resend is how long the sweep waits before it sends the same again.
const resend = time.Minute

// sweepPage is how many due rows of a shard are handled at a time.
const sweepPage = 100

// Sweep sends a message for everything that is due: jobs whose message was lost,
// leases that ran out, indexes that lag, workspaces that have webhooks. It answers how many it sent.
func (r *Runner) Sweep(ctx context.Context) (int, error) {
	sent := 0
	var failures []error
	for shard := range store.Shards {
		n, err := r.sweepShard(ctx, shard)
		sent += n
		failures = append(failures, err)
	}
	return sent, errors.Join(failures...)
}

func (r *Runner) sweepShard(ctx context.Context, shard int) (int, error) {
	sent := 0
	q := store.DueQuery{Shard: shard, Until: r.Clock.Now(), Limit: sweepPage}
	for {
		page, err := r.Store.Due(ctx, q)
		if err != nil {
			return sent, err
		}
		for _, item := range page.Items {
			if scheduled(item.Key) {
				continue
			}
			if err := r.wake(ctx, item.Key); err != nil {
				r.Log.LogAttrs(ctx, slog.LevelWarn, "sweep could not send", slog.String("code", code(err)))
				continue // one bad row must not hold up the others
			}
			sent++
		}
		if page.Cursor == "" {
			return sent, nil
		}
		q.Cursor = page.Cursor
	}
}

// scheduled tells a due row that a schedule of its own looks after: receipts that
// wait for their seal, runs that may be idle, experiments that may be over.
func scheduled(key store.Key) bool {
	_, _, receipt := keys.ReceiptOf(key)
	_, _, run := keys.RunOf(key)
	_, experiment := keys.RunTokenOf(key)
	return receipt || run || experiment
}

// wake reads a due row again (the due index may be stale), sends its message and
// puts it off.
func (r *Runner) wake(ctx context.Context, key store.Key) error {
	item, found, err := r.Store.Get(ctx, key)
	if err != nil || !found || item.Due == nil || r.Clock.Now().Before(item.Due.At) {
		return err
	}
	if scope, ok := keys.IndexMarkOf(key); ok {
		return r.wakeIndex(ctx, scope, item)
	}
	if scope, ok := keys.WebhookMarkOf(key); ok {
		return r.send(ctx, Kind(queue.Events), message(scope, ""), 0)
	}
	job, err := fromItem(item)
	if err != nil {
		return err
	}
	rev := item.Attrs.Int(attrRev)
	if job.State == Running {
		job.State = Failed // its lease ran out: the worker died
		job.LastError = "LEASE_EXPIRED"
	}
	job.DueAt = r.Clock.Now().Add(resend)
	if err := r.save(ctx, job, rev); err != nil {
		return ignoreTaken(err)
	}
	return r.send(ctx, job.Kind, message(job.Scope, job.ID), 0)
}

func ignoreTaken(err error) error {
	if errors.Is(err, errTaken) {
		return nil
	}
	return err
}

func (r *Runner) wakeIndex(ctx context.Context, scope tenant.Scope, item store.Item) error {
	seq := item.Attrs[attrSeq]
	item.Due.At = r.Clock.Now().Add(resend)
	err := r.Store.Commit(ctx, store.Tx{Actions: []store.Action{
		store.PutItem("mark", item, store.IfEqual(attrSeq, seq))}})
	if store.Failed(err, "mark") {
		return nil // moved meanwhile: a later message is on its way
	}
	if err != nil {
		return err
	}
	return r.send(ctx, Index, message(scope, ""), 0)
}

// Find answers a job.
func (r *Runner) Find(ctx context.Context, scope tenant.Scope, id string) (Job, bool, error) {
	if keys.Job(scope, id).Validate() != nil {
		return Job{}, false, nil
	}
	job, _, found, err := r.load(ctx, scope, id)
	return job, found, err
}

// List answers a page of a workspace's jobs in the order they were made, of one
// state (empty: all); the cursor is empty at the end.
func (r *Runner) List(ctx context.Context, scope tenant.Scope, state State, limit int, after string) ([]Job, string, error) {
	q := store.Query{PK: keys.JobPK(scope), From: after, Limit: sweepPage}
	if after != "" {
		q.From = after + "!" // the first key after it: ids hold no '!'
	}
	var jobs []Job
	for {
		page, err := r.Store.Query(ctx, q)
		if err != nil {
			return nil, "", err
		}
		for _, item := range page.Items {
			job, err := fromItem(item)
			if err != nil {
				return nil, "", err
			}
			if state != "" && job.State != state {
				continue
			}
			if len(jobs) == limit {
				return jobs, jobs[limit-1].ID, nil
			}
			jobs = append(jobs, job)
		}
		if page.Cursor == "" {
			return jobs, "", nil
		}
		q.Cursor = page.Cursor
	}
}

// Again is the action that makes a dead or waiting job due now with all its tries.
func (j Job) Again(now time.Time) (store.Action, error) {
	j.State, j.Attempts, j.DueAt = Pending, 0, now
	item, err := j.item(1)
	return store.PutItem("job", item, store.IfExists()), err
}
