package app

import (
	"context"
	"slices"

	"holdfast/internal/commit"
	"holdfast/internal/config"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/llm"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
	"holdfast/internal/search"
	"holdfast/internal/search/words"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Deps answers what a route's endpoint is built from: the ports that its needs
// declare. Every other port fails on use and names route and port, so that a
// need which was not declared is found before deployment takes the permission away.
func (a *App) Deps(r routes.Route) httpapi.Deps {
	d := httpapi.Deps{
		Clock: a.Clock, IDs: a.IDs, Log: a.Log, Journal: a.Journal, Position: a.Cursors,
		Keys: a.Keys, Directory: a.Directory, Workspaces: a.Known, Limiter: a.Limiter, CursorSecret: a.cursorSecret(),
		EmbedWait: a.Config.EmbedWait, CatchUp: a.catchUp(), CheckTarget: a.Targets.Check,
		Store: readOnly{a.Store, a.undeclared(r, "store.Commit")},
		Runs:  a.Runs,
		Index: noIndex{a.undeclared(r, "search")}, Words: noWords{a.undeclared(r, "search")}, Embedder: noEmbedder{a.undeclared(r, "embed")},
		LLM:    noLLM{a.undeclared(r, "llm")},
		Commit: noCommit{a.undeclared(r, "commit")}, Queue: noQueue{a.undeclared(r, "queue")},
	}
	if r.Needs.Has(routes.Write) {
		d.Store, d.Commit = a.Store, a.Commit
	}
	if r.Needs.Has(routes.Search) {
		d.Index, d.Words = a.Index, a.Words
	}
	if r.Needs.Has(routes.Embed) {
		d.Embedder = a.Embedder
	}
	if r.Needs.Has(routes.LLM) {
		d.LLM = a.LLM
	}
	if r.Needs.Has(routes.Queue) {
		d.Queue = a.Queue
	}
	return d
}

// undeclared is what such a port answers. It leaves a line in the log as well,
// since a caller may make do without the port and show no error.
// catchUp brings an index of this process up to the log; nil where the index is
// another's, whose worker alone may write to it.
func (a *App) catchUp() func(ctx context.Context, scope tenant.Scope) error {
	if a.Config.Search != config.Memory {
		return nil
	}
	return a.Indexer.Sync
}

func (a *App) undeclared(r routes.Route, port string) func() error {
	return func() error {
		a.Log.Error("undeclared port", "route", r.ID, "port", port)
		return errs.New(errs.Internal, "INTERNAL", "route "+r.ID+" uses port "+port+", which its needs do not declare")
	}
}

// readOnly is a store that does not commit.
type readOnly struct {
	store.Store
	err func() error
}

func (r readOnly) Commit(context.Context, store.Tx) error { return r.err() }

type noCommit struct{ err func() error }

func (n noCommit) Do(context.Context, commit.Write) (commit.Outcome, error) {
	return commit.Outcome{}, n.err()
}

func (n noCommit) DoMany(_ context.Context, ws []commit.Write) ([]commit.Outcome, []error) {
	return make([]commit.Outcome, len(ws)), slices.Repeat([]error{n.err()}, len(ws))
}

type noIndex struct{ err func() error }

func (n noIndex) Apply(_ context.Context, ops []search.Op) []error {
	return slices.Repeat([]error{n.err()}, len(ops))
}

func (n noIndex) Search(context.Context, search.Query) (search.Answer, error) {
	return search.Answer{}, n.err()
}

func (n noIndex) Has(context.Context, tenant.Scope, string) (bool, error) { return false, n.err() }
func (n noIndex) Count(context.Context, tenant.Scope) (int, error)        { return 0, n.err() }
func (n noIndex) Ping(context.Context) error                              { return n.err() }

type noWords struct{ err func() error }

func (n noWords) Apply(_ context.Context, ops []words.Op) []error {
	return slices.Repeat([]error{n.err()}, len(ops))
}

func (n noWords) Search(context.Context, words.Query) (words.Answer, error) {
	return words.Answer{}, n.err()
}

func (n noWords) Has(context.Context, tenant.Scope, string) (bool, error) { return false, n.err() }
func (n noWords) Count(context.Context, tenant.Scope) (int, error)        { return 0, n.err() }
func (n noWords) Ping(context.Context) error                              { return n.err() }

type noEmbedder struct{ err func() error }

func (n noEmbedder) Profile() embed.Profile { _ = n.err(); return embed.Profile{} }
func (n noEmbedder) Embed(context.Context, []string) ([][]float32, error) {
	return nil, n.err()
}

type noLLM struct{ err func() error }

func (n noLLM) Name() string { _ = n.err(); return "" }
func (n noLLM) Complete(context.Context, llm.Task) (llm.Answer, error) {
	return llm.Answer{}, n.err()
}

type noQueue struct{ err func() error }

func (n noQueue) Send(context.Context, queue.Name, []queue.Message) ([]error, error) {
	return nil, n.err()
}
