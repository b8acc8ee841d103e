package consolidate

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Idle is the body of the scheduled worker that consolidates runs which nobody has
// used for their workspace's idle time (S0.68, R0.50). It goes through the index of
// what is due, never through all runs.
type Idle struct{ *Service }

// Run looks at every run that is due and answers how many it sealed. One that cannot
// be looked at does not hold up the others.
func (i Idle) Run(ctx context.Context) (int, error) {
	n := 0
	var failures []error
	for shard := range store.Shards {
		sealed, err := i.shard(ctx, shard)
		n += sealed
		failures = append(failures, err)
	}
	return n, errors.Join(failures...)
}

func (i Idle) shard(ctx context.Context, shard int) (int, error) {
	n := 0
	q := store.DueQuery{Shard: shard, Until: i.Clock.Now(), Limit: pageSize}
	for {
		page, err := i.Store.Due(ctx, q)
		if err != nil {
			return n, err
		}
		for _, item := range page.Items {
			scope, hash, ok := keys.RunOf(item.Key)
			if !ok {
				continue // a job, a mark, a receipt
			}
			sealed, err := i.look(ctx, scope, hash)
			if err != nil {
				i.Log.LogAttrs(ctx, slog.LevelWarn, "idle run not looked at", slog.String("code", codeOf(err)))
			}
			if sealed {
				n++
			}
		}
		if page.Cursor == "" {
			return n, nil
		}
		q.Cursor = page.Cursor
	}
}

func codeOf(err error) string {
	if e := errs.As(err); e != nil {
		return e.Code
	}
	return "INTERNAL"
}

// look reads a due run again, for the index may be stale, and seals it if it is idle.
func (i Idle) look(ctx context.Context, scope tenant.Scope, hash string) (sealed bool, err error) {
	r, found, err := run.Read(ctx, i.Store, scope, hash)
	now := i.Clock.Now()
	if err != nil || !found || r.Due.IsZero() || now.Before(r.Due) {
		return false, err
	}
	w, err := i.Workspace(ctx, scope)
	if err != nil {
		return false, err
	}
	idle := run.IdleTime(w)
	due, err := i.idleAt(ctx, r, idle)
	if err != nil {
		return false, err
	}
	if r.Busy != 0 && !now.Before(due) {
		due = now.Add(idle) // its last stretch is in hand
	}
	if now.Before(due) {
		r.Due, r.Idle = due, idle
		return false, i.move(ctx, r)
	}
	waiting, err := i.waiting(ctx, r)
	if err != nil {
		return false, err
	}
	if !waiting {
		return false, i.move(ctx, r.Disarm(now, idle))
	}
	return i.close(ctx, r, w)
}

// idleAt is when the run is idle, if nothing more happens: an idle time after its last
// append, or after its last visit, which may have been Slack later than was noted.
func (i Idle) idleAt(ctx context.Context, r run.Run, idle time.Duration) (time.Time, error) {
	var due time.Time
	newest, err := r.Newest(ctx, i.Store)
	if err != nil {
		return due, err
	}
	if at, ok := ids.Time(newest); ok {
		due = at.Add(idle)
	}
	note, found, err := i.Store.Get(ctx, keys.RunTouch(r.Scope, r.Hash))
	if err != nil || !found {
		return due, err
	}
	if visited := run.TouchedAt(&note).Add(idle + max(r.Slack(), idle/10)); visited.After(due) {
		due = visited
	}
	return due, nil
}

// move writes the run's row unless somebody else has.
func (i Idle) move(ctx context.Context, r run.Run) error {
	return ignore(i.put(ctx, r.Put("run")), "run")
}

// close seals an idle run; a worker does the rest. One whose budget of the model is
// used up is looked at again later.
func (i Idle) close(ctx context.Context, r run.Run, w tenant.Workspace) (bool, error) {
	_, err := i.seal(ctx, memory.ServiceTarget(r.Scope, w), r.Hash, Ask{}, 0)
	var busy *busyError
	switch {
	case errors.As(err, &busy):
		return false, nil // somebody else was faster
	case errs.Is(err, errs.Exhausted):
		r.Due = i.Clock.Now().Add(budgetPause)
		return false, i.move(ctx, r)
	}
	return err == nil, err
}

// budgetPause is how long what waits for a budget waits at a time.
const budgetPause = time.Hour
