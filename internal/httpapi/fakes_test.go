package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/routes"
	"holdfast/internal/tenant"
)

// The keys and workspaces of the tests.
const (
	goodKey   = "holdfast_k1_good"
	poorKey   = "holdfast_k2_poor"
	rootKey   = "the root key of these tests, long enough"
	brokenKey = "holdfast_k3_store-down"

	tenantID = "018f0000-0000-7000-8000-00000000000a"
	ours     = "018f0000-0000-7000-8000-000000000001"
	foreign  = "018f0000-0000-7000-8000-000000000002"
	nobodys  = "018f0000-0000-7000-8000-000000000003"
)

type fakeAuth struct{}

func (fakeAuth) Authenticate(_ context.Context, bearer string) (apikey.Principal, error) {
	p := apikey.Principal{KeyID: "k1", TenantID: tenantID, Kind: apikey.Agent, Workspaces: []string{ours, nobodys}}
	switch bearer {
	case goodKey:
		p.Capabilities = capability.All()
	case poorKey:
		p.KeyID, p.Capabilities = "k2", []capability.Name{capability.MemoryEvaluate}
	case rootKey:
		return apikey.Principal{KeyID: apikey.RootID, Kind: apikey.Root, Capabilities: []capability.Name{capability.Root}}, nil
	case brokenKey:
		return apikey.Principal{}, errs.New(errs.Unavailable, "UNAVAILABLE", "The store does not answer.")
	default:
		return apikey.Principal{}, errs.New(errs.Unauthenticated, "UNAUTHENTICATED", "No.")
	}
	return p, nil
}

type fakeWorkspaces struct{}

func (fakeWorkspaces) Workspace(_ context.Context, tenantID, id string) (tenant.Workspace, error) {
	if id != ours && id != foreign {
		return tenant.Workspace{}, errs.New(errs.NotFound, "OTHER_CODE", "Told apart.")
	}
	return tenant.Workspace{ID: id, Name: "north", Settings: tenant.DefaultSettings(), Version: 1}, nil
}

type fakeLimiter struct {
	after time.Duration
	ok    bool
}

func (f fakeLimiter) Allow(apikey.Principal) (time.Duration, bool) { return f.after, f.ok }

// safeBuffer is a log that many requests write.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func testDeps(log io.Writer) Deps {
	at := clock.NewFixed(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	return Deps{
		Clock: at, IDs: ids.NewSource(at.Now, nil), Log: slog.New(slog.NewJSONHandler(log, nil)),
		Auth: fakeAuth{}, Workspaces: fakeWorkspaces{}, CursorSecret: []byte("a secret of the tests"),
	}
}

func newGate(t testing.TB, d Deps) *Gate {
	t.Helper()
	g, err := NewGate(d)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// storeRoute is an append-like route.
var storeRoute = routes.Route{
	ID: "things-store", Method: http.MethodPost, Path: "/v1/things", Family: routes.Memory, Summary: "Store a thing",
	Capability: capability.MemoryAppend, Scope: routes.WorkspaceBody, Idempotency: routes.Optional, Mutates: true,
	Timeout: 5 * time.Second, BodyLimit: routes.Body64K, Success: 200, BadInput: 400, Codes: []string{"UNKNOWN_TYPE", "VERSION_MISMATCH"},
}

// readRoute is a get-like route.
var readRoute = routes.Route{
	ID: "things-read", Method: http.MethodGet, Path: "/v1/things/{id}", Family: routes.Receipts, Summary: "Read a thing",
	Capability: capability.MemoryRead, Scope: routes.WorkspaceQuery, Timeout: 5 * time.Second, Success: 200, BadInput: 422,
}

type source struct {
	Kind string `json:"kind" enum:"message,url"`
	ID   string `json:"id" minLength:"1"`
}

type thing struct {
	WorkspaceID string            `json:"workspaceId"`
	RunID       *string           `json:"runId" required:"false" minLength:"1"`
	Content     string            `json:"content"`
	Tags        map[string]string `json:"tags" required:"false" maxProperties:"3"`
	Importance  *float64          `json:"importance" required:"false" minimum:"0" maximum:"1"`
	Count       int               `json:"count" required:"false" minimum:"1" maximum:"200"`
	Valid       *Time             `json:"validFrom" required:"false"`
	Sources     []source          `json:"sources" required:"false" maxItems:"2"`
	Level       string            `json:"level" required:"false" enum:"low,high"`
	Hard        bool              `json:"hard" required:"false"`
}

type storeInput struct{ Body thing }

type readInput struct {
	ID     string   `path:"id" maxLength:"40"`
	Limit  int      `query:"limit" default:"20" minimum:"1" maximum:"100"`
	Since  *Time    `query:"since"`
	Deep   bool     `query:"deep"`
	UserID *string  `query:"userId" minLength:"1"`
	Kinds  []string `query:"kind" enum:"a,b"`
	Score  float64  `query:"score" default:"0.5"`
	Client string   `header:"X-Client" maxLength:"10"`
}

type echo struct {
	Got     any    `json:"got"`
	Tenant  string `json:"tenant"`
	Place   string `json:"place"`
	Key     string `json:"key,omitempty"`
	Request string `json:"request,omitempty"`
}

func echoOf(c *Call, got any) echo {
	e := echo{Got: got, Tenant: c.Scope.TenantID(), Place: c.Scope.WorkspaceID()}
	if c.Key != nil {
		e.Key, e.Request = c.Key.Hash, c.Key.Request
	}
	return e
}

func echoStore() Endpoint {
	return Handle(storeRoute, func(_ context.Context, c *Call, in *storeInput) (Reply[echo], error) {
		return OK(echoOf(c, in.Body)), nil
	})
}

func echoRead() Endpoint {
	return Handle(readRoute, func(_ context.Context, c *Call, in *readInput) (Reply[echo], error) {
		return OK(echoOf(c, *in)), nil
	})
}

// got is one answer, its body read as JSON.
type got struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// ask sends one request to a handler.
func ask(t testing.TB, h http.Handler, method, target, body string, headers ...string) got {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, reader)
	r.Header.Set("Authorization", "Bearer "+goodKey)
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Add(headers[i], headers[i+1])
			if headers[i] == "Authorization" {
				r.Header.Set(headers[i], headers[i+1])
			}
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	out := got{status: w.Code, header: w.Result().Header, raw: w.Body.String()}
	if out.raw != "" {
		if err := json.Unmarshal(w.Body.Bytes(), &out.body); err != nil {
			t.Fatalf("%s %s: body is no JSON: %q", method, target, out.raw)
		}
	}
	return out
}

// pointers lists the pointers of a validation problem.
func (g got) pointers() []string {
	var all []string
	list, _ := g.body["errors"].([]any)
	for _, one := range list {
		all = append(all, one.(map[string]any)["pointer"].(string))
	}
	return all
}

func (g got) want(t testing.TB, status int, code string) {
	t.Helper()
	if g.status != status || code != "" && g.body["code"] != code {
		t.Fatalf("answer %d %v, want %d %s: %s", g.status, g.body["code"], status, code, g.raw)
	}
}

func bodyOf(members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"workspaceId":"` + ours + `","content":"the gate is green"` + members + `}`
}

// endpointOf is an endpoint that does nothing with its input.
func endpointOf[I any](route routes.Route) Endpoint {
	return Handle(route, func(context.Context, *Call, *I) (Reply[struct{}], error) { return OK(struct{}{}), nil })
}

// answering is an endpoint that answers a fixed reply or error.
func answering[O any](route routes.Route, reply Reply[O], err error) Endpoint {
	return Handle(route, func(context.Context, *Call, *struct{}) (Reply[O], error) { return reply, err })
}

// openRoute needs no key and no workspace.
var openRoute = routes.Route{ID: "open", Method: http.MethodGet, Path: "/open", Family: routes.Platform, Access: routes.Open,
	Timeout: 5 * time.Second, Success: 200, BadInput: 400}

type ctx = context.Context

func serve(h http.Handler, r *http.Request) int {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}
