package httpapi

import (
	"context"
	"log/slog"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/embed"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/llm"
	"holdfast/internal/queue"
	"holdfast/internal/runtoken"
	"holdfast/internal/search"
	"holdfast/internal/search/words"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
	"holdfast/internal/tenant/directory"
)

// Authenticator finds out who holds a bearer key; every failure is one and the
// same Unauthenticated error (T.2).
type Authenticator interface {
	Authenticate(ctx context.Context, bearer string) (apikey.Principal, error)
}

// Workspaces reads a workspace of a tenant; a NotFound error when there is none.
type Workspaces interface {
	Workspace(ctx context.Context, tenantID, workspaceID string) (tenant.Workspace, error)
}

// RunTokens finds out whose token a run carries; every failure is one and the same
// Unauthenticated error (R3.27).
type RunTokens interface {
	Open(ctx context.Context, token string) (runtoken.Run, error)
}

// Limiter counts calls (T.14). When ok is false the call is refused and may be
// tried again after retryAfter.
type Limiter interface {
	Allow(p apikey.Principal) (retryAfter time.Duration, ok bool)
}

// IndexPosition tells how far the index has come in a scope's log.
type IndexPosition interface {
	Cursor(ctx context.Context, scope tenant.Scope) (int64, error)
}

// Deps is what endpoints are built from and served with. A process hands over
// only the ports that the route's needs declare; the others fail on use.
type Deps struct {
	Clock    clock.Clock
	IDs      *ids.Source
	Log      *slog.Logger
	Store    store.Store
	Index    search.Index
	Words    words.Index // facts by words
	Embedder embed.Embedder
	// EmbedWait bounds how long a retrieve waits for Embedder; 0: the default of recall.
	EmbedWait time.Duration
	LLM       llm.Model
	Commit    commit.Doer
	Queue     queue.Sender

	Journal  ledger.Journal // read receipts until they are sealed
	Position IndexPosition  // how far the index has come
	// CatchUp brings an index of this very process up to a scope's log; nil: none.
	CatchUp func(ctx context.Context, scope tenant.Scope) error

	Keys      *apikey.Service
	Directory *directory.Service

	Auth       Authenticator // nil: Keys
	Workspaces Workspaces    // nil: Directory
	Limiter    Limiter       // nil: no limits
	Runs       RunTokens     // nil: no route takes the tokens of runs

	// CheckTarget says which rule the address of a webhook breaks; empty: none.
	CheckTarget func(ctx context.Context, address string) (rule string)

	// Advance moves the test clock and runs what is then due (T.39); nil: there is
	// no test clock.
	Advance func(ctx context.Context, step time.Duration) (time.Time, error)

	// CursorSecret signs the cursors of lists (T.12); the same in every process.
	CursorSecret []byte
}

// WorkspaceOf reads the workspace of a scope.
func (d Deps) WorkspaceOf(ctx context.Context, scope tenant.Scope) (tenant.Workspace, error) {
	if d.Workspaces == nil {
		return d.Directory.Workspace(ctx, scope.TenantID(), scope.WorkspaceID())
	}
	return d.Workspaces.Workspace(ctx, scope.TenantID(), scope.WorkspaceID())
}

// Constructor builds an endpoint from what it depends on.
type Constructor func(Deps) Endpoint
