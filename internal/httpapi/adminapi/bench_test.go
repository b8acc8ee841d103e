package adminapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/httpapi"
	"holdfast/internal/ids"
	"holdfast/internal/routes"
	"holdfast/internal/search"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant/directory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const rootKey = "an-invented-root-key-of-forty-characters"

// index is an index of which only Ping is asked.
type index struct {
	search.Index
	err error
}

func (i index) Ping(context.Context) error { return i.err }

// bench serves the endpoints of this package over a store of its own.
type bench struct {
	t       *testing.T
	clock   *clock.Fixed
	handler http.Handler
	log     *bytes.Buffer
	admin   string // key of the tenant that most tests use
}

func newBench(t *testing.T) *bench { return benchWith(t, nil) }

// benchWith lets a test change what endpoints are built from.
func benchWith(t *testing.T, change func(*httpapi.Deps)) *bench {
	t.Helper()
	b := &bench{t: t, clock: clock.NewFixed(noon), log: new(bytes.Buffer)}
	table, source := memstore.New(), ids.NewSource(b.clock.Now, nil)
	log := slog.New(slog.NewJSONHandler(b.log, nil))
	keys := apikey.New(apikey.Options{Store: table, Clock: b.clock, RootKey: rootKey})
	doer := commit.New(commit.Config{
		Store: table, Clock: b.clock, IDs: source, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	d := httpapi.Deps{
		Clock: b.clock, IDs: source, Log: log, Store: table, Index: index{}, Commit: doer, Keys: keys,
		Directory:    directory.New(directory.Options{Store: table, Commit: doer, Keys: keys, IDs: source}),
		CursorSecret: []byte("a secret of the tests"),
		Advance: func(_ context.Context, step time.Duration) (time.Time, error) {
			return b.clock.Advance(step), nil
		},
	}
	if change != nil {
		change(&d)
	}
	b.handler = serve(t, d)
	b.admin = b.send("POST", "/v1/admin/tenants", rootKey, `{"name":"Harbour Lights"}`).want(201).text("adminKey")
	return b
}

func serve(t *testing.T, d httpapi.Deps) http.Handler {
	t.Helper()
	constructors := map[string]httpapi.Constructor{
		routes.AdminTenantsCreate.ID: TenantsCreate, routes.AdminWorkspacesCreate.ID: WorkspacesCreate,
		routes.AdminWorkspacesList.ID: WorkspacesList, routes.AdminWorkspacesGet.ID: WorkspacesGet,
		routes.AdminWorkspacesSet.ID: WorkspacesUpdate, routes.AdminKeysCreate.ID: KeysCreate,
		routes.AdminKeysList.ID: KeysList, routes.AdminKeysDelete.ID: KeysDelete,
		routes.Healthz.ID: Healthz, routes.Readyz.ID: Readyz, routes.TestClock.ID: TestClock,
	}
	gate, err := httpapi.NewGate(d)
	if err != nil {
		t.Fatal(err)
	}
	var served []routes.Route
	for _, r := range routes.All() {
		if constructors[r.ID] != nil {
			served = append(served, r)
		}
	}
	handler := func(r routes.Route) http.Handler { return gate.Handler(constructors[r.ID](d)) }
	return httpapi.Router(served, handler, gate.Fallback(served))
}

// answer is what came back.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// send makes a call; headers are names and values in turn.
func (b *bench) send(method, path, key, body string, headers ...string) answer {
	b.t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, content)
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	a := answer{t: b.t, what: method + " " + path, status: w.Code, header: w.Result().Header, raw: w.Body.String()}
	if a.raw != "" {
		if err := json.Unmarshal([]byte(a.raw), &a.body); err != nil {
			b.t.Fatalf("%s: %v", a.what, err)
		}
	}
	return a
}

// want fails unless the status is one of these.
func (a answer) want(statuses ...int) answer {
	a.t.Helper()
	for _, status := range statuses {
		if a.status == status {
			return a
		}
	}
	a.t.Fatalf("%s: %d, want %v: %s", a.what, a.status, statuses, a.raw)
	return a
}

// code fails unless this is a problem with a code.
func (a answer) code(code string) answer {
	a.t.Helper()
	if a.body["code"] != code || !strings.HasPrefix(a.header.Get("Content-Type"), "application/problem+json") {
		a.t.Errorf("%s: %s", a.what, a.raw)
	}
	return a
}

func (a answer) text(name string) string {
	a.t.Helper()
	text, ok := a.body[name].(string)
	if !ok {
		a.t.Fatalf("%s: %s is no text: %s", a.what, name, a.raw)
	}
	return text
}

// same fails unless a member has this JSON value.
func (a answer) same(name, want string) answer {
	a.t.Helper()
	got, err := json.Marshal(a.body[name])
	if _, there := a.body[name]; err != nil || !there || string(got) != want {
		a.t.Errorf("%s: %s is %s, want %s", a.what, name, got, want)
	}
	return a
}

// points fails unless one of the problem's errors points here.
func (a answer) points(pointer string) {
	a.t.Helper()
	if !strings.Contains(a.raw, fmt.Sprintf(`"pointer":%q`, pointer)) {
		a.t.Errorf("%s: %s is not pointed at: %s", a.what, pointer, a.raw)
	}
}

func (b *bench) workspace() string {
	b.t.Helper()
	return b.send("POST", "/v1/admin/workspaces", b.admin, `{"name":"north"}`).want(201).text("workspaceId")
}

func (b *bench) key(body string) answer {
	b.t.Helper()
	return b.send("POST", "/v1/admin/keys", b.admin, body).want(201)
}
