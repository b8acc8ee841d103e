package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
	"holdfast/internal/tenant"
)

// Gate serves endpoints: it is what all requests of a process pass.
type Gate struct {
	deps    Deps
	auth    Authenticator
	places  Workspaces
	cursors *Cursors
	warm    atomic.Bool // a request has been served before
}

// NewGate makes the gate of a process.
func NewGate(d Deps) (*Gate, error) {
	cursors, err := NewCursors(d.CursorSecret)
	if err != nil {
		return nil, fmt.Errorf("httpapi: cursors: %w", err)
	}
	g := &Gate{deps: d, auth: d.Auth, places: d.Workspaces, cursors: cursors}
	if g.auth == nil {
		g.auth = d.Keys
	}
	if g.places == nil {
		g.places = d.Directory
	}
	return g, nil
}

// Handler serves one endpoint. It matches the endpoint's own path only, so that
// it can stand behind any router.
func (g *Gate) Handler(e Endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := g.begin(w, r, e.route)
		ctx, cancel := context.WithTimeout(x.asked(r.Context()), e.route.Timeout)
		defer cancel()
		out, err := x.run(ctx, e)
		x.finish(out, err)
	})
}

// exchange is one request on its way to its answer.
type exchange struct {
	gate    *Gate
	w       http.ResponseWriter
	r       *http.Request
	route   routes.Route
	started time.Time
	trace   trace
	cold    bool
	v0      bool // errors have the form of R3.1
	call    Call
	raw     rawInput
	seen    verdict
}

func (g *Gate) begin(w http.ResponseWriter, r *http.Request, route routes.Route) *exchange {
	x := &exchange{gate: g, w: w, r: r, route: route, started: time.Now(), cold: !g.warm.Swap(true)}
	x.call.Route, x.call.RequestID, x.call.Cursors = route, g.deps.IDs.New(), g.cursors
	x.v0 = strings.HasPrefix(route.Path, v0Path)
	w.Header()[headerRequestID] = []string{x.call.RequestID}
	if x.trace = readTrace(r.Header); x.trace.id != "" {
		w.Header()[headerTrace] = []string{x.trace.next(x.call.RequestID)}
	}
	return x
}

// run passes the request through all steps; the first that fails answers.
func (x *exchange) run(ctx context.Context, e Endpoint) (out answer, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			out, err = answer{}, errs.Panicked(cause)
		}
	}()
	path, ok := e.input.match(x.r.URL.EscapedPath())
	if !ok || x.r.Method != e.route.Method {
		return answer{}, errs.Missing()
	}
	x.raw.path = path
	for _, step := range []func(context.Context, *input) error{x.admit, x.read, x.enter, x.validate} {
		if err := step(ctx, e.input); err != nil {
			return answer{}, err
		}
	}
	return e.serve(x.known(ctx), &x.call, &x.raw)
}

// admit finds out who calls and whether they may at all.
func (x *exchange) admit(ctx context.Context, _ *input) error {
	if x.route.Access == routes.Open {
		return nil
	}
	if x.route.Access == routes.RunAccess {
		return x.admitRun(ctx)
	}
	p, err := x.gate.authenticate(ctx, x.r.Header)
	if err != nil {
		return err
	}
	x.call.Principal = p
	if err := x.gate.limited(p); err != nil {
		return err
	}
	return permit(x.route, p)
}

// enter finds the workspace of the call and grants its scope. A workspace outside
// the key is the same as none (T.4); this comes before validation, so that an
// answer about a foreign workspace tells nothing.
func (x *exchange) enter(ctx context.Context, _ *input) error {
	id := ""
	switch x.route.Scope {
	case routes.TenantScope:
		switch x.route.Access {
		case routes.KeyAccess:
			x.call.Scope = tenant.Grant(x.call.Principal.TenantID, tenant.PlatformWorkspace)
		case routes.RootAccess:
			x.call.Scope = RootScope()
		}
		return nil
	case routes.WorkspaceBody:
		id = x.seen.scope
	case routes.WorkspaceRun:
		id = x.call.Run.Scope.WorkspaceID()
	case routes.WorkspaceKey:
		var err error
		if id, err = x.keysWorkspace(); err != nil {
			return err
		}
	case routes.WorkspaceQuery:
		if values := x.raw.query[workspaceName]; len(values) > 0 {
			id = values[0]
		}
	}
	if id == "" {
		return nil // validation says what is missing
	}
	return x.workspace(ctx, id)
}

func (x *exchange) workspace(ctx context.Context, id string) (err error) {
	x.call.places = x.gate.places
	x.call.Scope, x.call.Workspace, err = x.call.Elsewhere(ctx, id)
	return err
}

// Elsewhere grants the caller's key another workspace, by the same rule: one outside
// the key is the same as none (T.4).
func (c *Call) Elsewhere(ctx context.Context, id string) (tenant.Scope, tenant.Workspace, error) {
	if !c.Principal.May(id) {
		return tenant.Scope{}, tenant.Workspace{}, errs.Missing()
	}
	w, err := c.places.Workspace(ctx, c.Principal.TenantID, id)
	if errs.Is(err, errs.NotFound) {
		err = errs.Missing()
	}
	if err != nil {
		return tenant.Scope{}, tenant.Workspace{}, err
	}
	return tenant.Grant(c.Principal.TenantID, w.ID), w, nil
}
