package erase

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"

	"holdfast/internal/clock"
	"holdfast/internal/erasure"
	"holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Arguments of jobs.
const (
	argLook  = "look"  // the Look at a workspace's canaries; such a job has no item
	argAgain = "again" // "true": a copy was found after the erasure was complete
)

// Looks asks for looks at the erased items of a workspace.
type Looks struct {
	Store store.Store
	IDs   *ids.Source
	Clock clock.Clock
}

// After are the actions that leave the job which looks after something happened; none
// where no erased item waits for it.
func (l Looks) After(ctx context.Context, scope tenant.Scope, look Look) ([]store.Action, error) {
	q := store.Query{PK: keys.CanaryPK(scope)}
	for {
		page, err := l.Store.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(page.Items, func(item store.Item) bool { return Waits(item, look) }) {
			action, err := l.job(scope, look).Put("look")
			return []store.Action{action}, err
		}
		if page.Cursor == "" {
			return nil, nil
		}
		q.Cursor = page.Cursor
	}
}

func (l Looks) job(scope tenant.Scope, look Look) outbox.Job {
	now := l.Clock.Now()
	return outbox.Job{ID: l.IDs.New(), Kind: outbox.Erase, Scope: scope, Args: map[string]string{argLook: string(look)},
		State: outbox.Pending, CreatedAt: now, DueAt: now}
}

// Reindexed leaves the jobs that look after a workspace's index was made anew.
func (l Looks) Reindexed(ctx context.Context, scope tenant.Scope) error {
	actions, err := l.After(ctx, scope, Reindex)
	if err != nil || len(actions) == 0 {
		return err
	}
	return l.Store.Commit(ctx, store.Tx{Actions: actions})
}

// Bounds of a try to look.
const (
	lookPage = 50
	mostSeen = 500 // canaries by weight; the rest is left to the next try
)

// look looks for every item whose erasure was complete when the job was made.
func (e *Eraser) look(ctx context.Context, job outbox.Job, look Look) error {
	seen := 0
	q := store.Query{PK: keys.CanaryPK(job.Scope), Limit: lookPage}
	for {
		page, err := e.Store.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			c := decodeCanary(item)
			if !slices.Contains(c.waits, look) || c.at.After(job.CreatedAt) {
				continue
			}
			if seen += c.weight(); seen > mostSeen {
				return &outbox.Later{}
			}
			if err := e.lookFor(ctx, c, look); err != nil {
				return err
			}
		}
		if page.Cursor == "" {
			return e.put(ctx, job.Done())
		}
		q.Cursor = page.Cursor
	}
}

// lookFor looks for one item. Found, it is an alarm, and its erasure is opened again.
func (e *Eraser) lookFor(ctx context.Context, c canary, look Look) error {
	where, err := e.find(ctx, c)
	if err != nil {
		return err
	}
	still := store.IfEqual(attrRev, store.N(c.rev))
	if len(where) > 0 {
		return e.openAgain(ctx, c, look, where)
	}
	next := c.without(look)
	action := next.put("canary", still)
	if len(next.waits) == 0 || e.Clock.Now().Sub(c.at) > canaryTime {
		action = store.DeleteItem("canary", keys.Canary(c.scope, c.id), still)
	}
	return ignore(e.put(ctx, action), "canary")
}

// openAgain leaves the job that erases what was found. The canary waits for no look
// until that is done: then it begins anew.
func (e *Eraser) openAgain(ctx context.Context, c canary, look Look, where []found) error {
	if err := e.alarm(ctx, c, look, where); err != nil {
		return err
	}
	now := e.Clock.Now()
	args := map[string]string{argAgain: strconv.FormatBool(true)}
	maps.Copy(args, c.args)
	job, err := outbox.Job{ID: e.IDs.New(), Kind: outbox.Erase, Scope: c.scope, ItemID: c.id, State: outbox.Pending,
		Args: args, CreatedAt: now, DueAt: now}.Put("job")
	if err != nil {
		return err
	}
	next := c
	next.waits = nil
	return ignore(e.put(ctx, next.put("canary", store.IfEqual(attrRev, store.N(c.rev))), job), "canary")
}

// alarm says that an erased item was found: by ids and places.
func (e *Eraser) alarm(ctx context.Context, c canary, look Look, where []found) error {
	n := 0
	for _, f := range where {
		n += f.n
	}
	e.Log.LogAttrs(ctx, slog.LevelError, "an erased item was found again", slog.String("tenant", c.scope.TenantID()),
		slog.String("workspace", c.scope.WorkspaceID()), slog.String("item", c.id), slog.String("look", string(look)),
		slog.String("found", fmt.Sprint(where)))
	if e.Metrics == nil {
		return nil
	}
	return e.Metrics(obs.Metric{Name: obs.CanaryHits, Unit: obs.Count, Value: float64(n)})
}

// reopen begins to erase what was found: an item that is there again becomes a
// tombstone, and is counted.
func (x *erasing) reopen(ctx context.Context) error {
	item, _, err := x.Store.Get(ctx, keys.Canary(x.scope, x.job.ItemID))
	if err != nil {
		return err
	}
	x.rows = decodeCanary(item).rows
	if x.job.Args[erasure.ArgFamily] == fact.Family {
		return x.reopenFacts(ctx)
	}
	return x.Memories.BuryAgain(ctx, x.scope, x.job.ItemID, x.counts((&memoryCopies{}).list()))
}

// counts is the action that counts one item in the step of what came back.
func (x *erasing) counts(steps []step) store.Action {
	at := slices.IndexFunc(steps, func(s step) bool { return s.name == canaryStep })
	return counted(keys.ErasureStep(x.scope, x.job.ItemID, at), 1)
}

// ignore passes over a condition that did not hold: somebody else was faster.
func ignore(err error, label string) error {
	if store.Failed(err, label) {
		return nil
	}
	return err
}
