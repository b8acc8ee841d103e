package app

import (
	"context"

	"holdfast/internal/consolidate"
	"holdfast/internal/erase"
	"holdfast/internal/ids"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
	"holdfast/internal/runtoken"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
	"holdfast/internal/webhook"
	"holdfast/internal/work"
)

// Restarted frees what a dead process left leased, for a process that has the
// store to itself (T.40).
func (a *App) Restarted(ctx context.Context) error {
	return a.runner(routes.WorkerSweep).Restarted(ctx)
}

// OnMessage answers the body of a queue worker, or nil when w is none.
func (a *App) OnMessage(w routes.Worker) func(ctx context.Context, body string) error {
	switch w.ID {
	case routes.WorkerIndex.ID:
		refused := &work.Refused{Runner: a.runner(w), Indexer: a.Indexer}
		return parsed(func(ctx context.Context, m outbox.Message) error {
			if m.Job != "" {
				return refused.Run(ctx, m.Scope(), m.Job)
			}
			return a.sync(ctx, m)
		})
	case routes.WorkerEmbed.ID:
		e := &work.Embedder{Store: a.Store, Runner: a.runner(w), Embedder: a.Embedder, Indexer: a.Indexer}
		return parsed(func(ctx context.Context, m outbox.Message) error { return e.Run(ctx, m.Scope(), m.Job) })
	case routes.WorkerConsolidate.ID:
		c := consolidate.Worker{Service: a.consolidator(a.runner(w))}
		return parsed(func(ctx context.Context, m outbox.Message) error { return c.Run(ctx, m.Scope(), m.Job) })
	case routes.WorkerEvents.ID:
		e := &webhook.Worker{Store: a.Store, Queue: a.Queue, Clock: a.Clock, IDs: a.IDs, Log: a.Log, Sender: a.Targets}
		return parsed(e.Run)
	case routes.WorkerErase.ID:
		e := &erase.Eraser{Store: a.Store, Commit: a.Commit, Index: a.Indexer, Staged: consolidate.Staged{Store: a.Store},
			Memories: a.Memories, Facts: a.Facts, Words: work.WordsCopy{Indexer: a.Indexer},
			IDs: a.IDs, Clock: a.Clock, Log: a.Log, Metrics: a.options.Metrics}
		e.Runner = a.runner(w)
		e.Runner.OnDead = e.GiveUp
		return parsed(func(ctx context.Context, m outbox.Message) error { return e.Run(ctx, m.Scope(), m.Job) })
	}
	return nil
}

// sync brings the index up to a scope's log. Where the table's stream tells of what
// moved recall only to it, it wakes the webhooks too.
func (a *App) sync(ctx context.Context, m outbox.Message) error {
	if err := a.Indexer.Sync(ctx, m.Scope()); err != nil || !a.options.Streamed {
		return err
	}
	watched, err := webhook.Has(ctx, a.Store, m.Scope())
	if err != nil || !watched {
		return err
	}
	_, err = a.Queue.Send(ctx, queue.Events, []queue.Message{{Body: outbox.NewMessage(m.Scope(), "").Encode()}})
	return err
}

// consolidator ends runs with a runner's leases.
func (a *App) consolidator(r *outbox.Runner) *consolidate.Service {
	return consolidate.New(consolidate.Service{
		Store: a.Store, Commit: a.Commit, Memories: a.Memories, Index: a.Index, IDs: a.IDs, Clock: a.Clock, Log: a.Log, Runner: r,
		Workspace: func(ctx context.Context, scope tenant.Scope) (tenant.Workspace, error) {
			return a.Known.Workspace(ctx, scope.TenantID(), scope.WorkspaceID())
		},
		Ended: func(ctx context.Context, scope tenant.Scope) ([]store.Action, error) {
			return a.looks().After(ctx, scope, erase.Consolidation)
		},
	}, a.LLM)
}

// looks asks for looks at what was erased.
func (a *App) looks() erase.Looks { return erase.Looks{Store: a.Store, IDs: a.IDs, Clock: a.Clock} }

func parsed(do func(context.Context, outbox.Message) error) func(context.Context, string) error {
	return func(ctx context.Context, body string) error {
		m, err := outbox.ParseMessage(body)
		if err != nil {
			return err
		}
		return do(obs.With(ctx, whose(m)), m)
	}
}

// whose are the tenant and the workspace of a message for the log, which repeats
// nothing of it but ids.
func whose(m outbox.Message) (f obs.Fields) {
	if ids.Valid(m.Tenant) {
		f.TenantID = m.Tenant
	}
	if ids.Valid(m.Workspace) {
		f.WorkspaceID = m.Workspace
	}
	return f
}

// OnStream answers the body of the worker that reads the table's stream, or nil
// when w is another.
func (a *App) OnStream(w routes.Worker) func(ctx context.Context, changes []store.Change) []error {
	if w.ID != routes.WorkerRelay.ID {
		return nil
	}
	relay := &work.Relay{Queue: a.Queue, Clock: a.Clock, Log: a.Log}
	return relay.Run
}

// OnSchedule answers the body of a scheduled worker, or nil when w is none.
func (a *App) OnSchedule(w routes.Worker) func(ctx context.Context) error {
	switch w.ID {
	case routes.WorkerSweep.ID:
		return a.sweep(a.runner(w))
	case routes.WorkerIdle.ID:
		idle := consolidate.Idle{Service: a.consolidator(a.runner(w))}
		return func(ctx context.Context) error { _, err := idle.Run(ctx); return err }
	case routes.WorkerExperiments.ID:
		cleaner := runtoken.Cleaner{Runs: a.Runs}
		return func(ctx context.Context) error { _, err := cleaner.Run(ctx); return err }
	case routes.WorkerSeal.ID:
		s := work.Sealer{Store: a.Store, Commit: a.Commit, Journal: a.Journal}
		return func(ctx context.Context) error { _, err := s.Run(ctx); return err }
	}
	return nil
}

// sweep sends what is due and tells how far the indexes lag.
func (a *App) sweep(r *outbox.Runner) func(ctx context.Context) error {
	lag := work.Lag{Store: a.Store, Cursors: a.Cursors, Clock: a.Clock, Runner: r}
	return func(ctx context.Context) error {
		_, err := r.Sweep(ctx)
		if err != nil || a.options.Metrics == nil {
			return err
		}
		oldest, err := lag.Oldest(ctx)
		if err != nil {
			return err
		}
		return a.options.Metrics(obs.Metric{Name: obs.IndexLag, Unit: "Seconds", Value: oldest.Seconds()})
	}
}
