package app

import (
	"context"

	"holdfast/internal/commit"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Deps answers what a route's endpoint is built from: the ports that its needs
// declare. Every other port fails on use and names route and port, so that a
// need which was not declared is found before deployment takes the permission away.
func (a *App) Deps(r routes.Route) httpapi.Deps {
	d := httpapi.Deps{
		Clock: a.Clock, IDs: a.IDs, Log: a.Log, Journal: a.Journal, Position: a.Cursors,
		Keys: a.Keys, Directory: a.Directory, Limiter: a.Limiter, CursorSecret: a.cursorSecret(),
		CatchUp: a.Indexer.Sync,
		Store:   readOnly{a.Store, undeclared(r, "store.Commit")},
		Index:   noIndex{undeclared(r, "search")}, Embedder: noEmbedder{undeclared(r, "embed")},
		Commit: noCommit{undeclared(r, "commit")}, Queue: noQueue{undeclared(r, "queue")},
	}
	if r.Needs.Has(routes.Write) {
		d.Store, d.Commit = a.Store, a.Commit
	}
	if r.Needs.Has(routes.Search) {
		d.Index = a.Index
	}
	if r.Needs.Has(routes.Embed) {
		d.Embedder = a.Embedder
	}
	if r.Needs.Has(routes.Queue) {
		d.Queue = a.Queue
	}
	return d
}

func undeclared(r routes.Route, port string) error {
	return errs.New(errs.Internal, "INTERNAL", "route "+r.ID+" uses port "+port+", which its needs do not declare")
}

// readOnly is a store that does not commit.
type readOnly struct {
	store.Store
	err error
}

func (r readOnly) Commit(context.Context, store.Tx) error { return r.err }

type noCommit struct{ err error }

func (n noCommit) Do(context.Context, commit.Write) (commit.Outcome, error) {
	return commit.Outcome{}, n.err
}

func (n noCommit) DoMany(_ context.Context, ws []commit.Write) ([]commit.Outcome, []error) {
	failures := make([]error, len(ws))
	for i := range failures {
		failures[i] = n.err
	}
	return make([]commit.Outcome, len(ws)), failures
}

type noIndex struct{ err error }

func (n noIndex) Apply(_ context.Context, ops []search.Op) []error {
	failures := make([]error, len(ops))
	for i := range failures {
		failures[i] = n.err
	}
	return failures
}

func (n noIndex) Search(context.Context, search.Query) (search.Answer, error) {
	return search.Answer{}, n.err
}

func (n noIndex) Has(context.Context, tenant.Scope, string) (bool, error) { return false, n.err }
func (n noIndex) Count(context.Context, tenant.Scope) (int, error)        { return 0, n.err }
func (n noIndex) Ping(context.Context) error                              { return n.err }

type noEmbedder struct{ err error }

func (n noEmbedder) Profile() embed.Profile { return embed.Profile{} }
func (n noEmbedder) Embed(context.Context, []string) ([][]float32, error) {
	return nil, n.err
}

type noQueue struct{ err error }

func (n noQueue) Send(context.Context, queue.Name, []queue.Message) ([]error, error) {
	return nil, n.err
}
