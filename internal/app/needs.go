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

// catchUp brings an index of this process up to the log; nil where the index is
// another's, whose worker alone may write to it.
func (a *App) catchUp() func(ctx context.Context, scope tenant.Scope) error {
	if a.Config.Search != config.Memory {
		return nil
	}
	return a.Indexer.Sync
}

// failure is what a port that was not declared answers.
type failure func(context.Context) error

// undeclared is what such a port answers. It leaves a line in the log as well,
// since a caller may make do without the port and show no error.
func (a *App) undeclared(r routes.Route, port string) failure {
	return func(ctx context.Context) error {
		a.Log.ErrorContext(ctx, "undeclared port", "route", r.ID, "port", port)
		return errs.New(errs.Internal, "INTERNAL", "route "+r.ID+" uses port "+port+", which its needs do not declare")
	}
}

// readOnly is a store that does not commit.
type readOnly struct {
	store.Store
	err failure
}

func (r readOnly) Commit(ctx context.Context, _ store.Tx) error { return r.err(ctx) }

type noCommit struct{ err failure }

func (n noCommit) Do(ctx context.Context, _ commit.Write) (commit.Outcome, error) {
	return commit.Outcome{}, n.err(ctx)
}

func (n noCommit) DoMany(ctx context.Context, ws []commit.Write) ([]commit.Outcome, []error) {
	return make([]commit.Outcome, len(ws)), slices.Repeat([]error{n.err(ctx)}, len(ws))
}

type noIndex struct{ err failure }

func (n noIndex) Apply(ctx context.Context, ops []search.Op) []error {
	return slices.Repeat([]error{n.err(ctx)}, len(ops))
}

func (n noIndex) Search(ctx context.Context, _ search.Query) (search.Answer, error) {
	return search.Answer{}, n.err(ctx)
}

func (n noIndex) Has(ctx context.Context, _ tenant.Scope, _ string) (bool, error) {
	return false, n.err(ctx)
}
func (n noIndex) Count(ctx context.Context, _ tenant.Scope) (int, error) { return 0, n.err(ctx) }
func (n noIndex) Ping(ctx context.Context) error                         { return n.err(ctx) }

type noWords struct{ err failure }

func (n noWords) Apply(ctx context.Context, ops []words.Op) []error {
	return slices.Repeat([]error{n.err(ctx)}, len(ops))
}

func (n noWords) Search(ctx context.Context, _ words.Query) (words.Answer, error) {
	return words.Answer{}, n.err(ctx)
}

func (n noWords) Has(ctx context.Context, _ tenant.Scope, _ string) (bool, error) {
	return false, n.err(ctx)
}
func (n noWords) Count(ctx context.Context, _ tenant.Scope) (int, error) { return 0, n.err(ctx) }
func (n noWords) Ping(ctx context.Context) error                         { return n.err(ctx) }

type noEmbedder struct{ err failure }

// Profile has no context, so its line names the route only.
func (n noEmbedder) Profile() embed.Profile {
	_ = n.err(context.Background())
	return embed.Profile{}
}

func (n noEmbedder) Embed(ctx context.Context, _ []string) ([][]float32, error) {
	return nil, n.err(ctx)
}

type noLLM struct{ err failure }

func (n noLLM) Name() string { _ = n.err(context.Background()); return "" }
func (n noLLM) Complete(ctx context.Context, _ llm.Task) (llm.Answer, error) {
	return llm.Answer{}, n.err(ctx)
}

type noQueue struct{ err failure }

func (n noQueue) Send(ctx context.Context, _ queue.Name, _ []queue.Message) ([]error, error) {
	return nil, n.err(ctx)
}
