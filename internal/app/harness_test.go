package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"holdfast/internal/app"
	"holdfast/internal/clock"
	"holdfast/internal/config"
	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/all"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
)

// service is the whole product without its transport: endpoints behind a router,
// workers run by hand.
type service struct {
	*app.App
	http  http.Handler
	clock *clock.Fixed
	key   string
	admin string
	ws    string
}

const rootKey = "root-key-of-the-tests-which-is-long-enough"

func open(t testing.TB, folder string) *service { t.Helper(); return openOver(t, folder, nil) }

// openOver lets a test change what the product is opened with.
func openOver(t testing.TB, folder string, change func(*app.Options)) *service {
	t.Helper()
	c, err := config.Load(func(name string) (string, bool) {
		v, ok := map[string]string{"HOLDFAST_DATA": folder, "HOLDFAST_RATE_KEY_PER_MINUTE": "0", "HOLDFAST_EMBED_WAIT": "5000",
			"HOLDFAST_WEBHOOK_ALLOW": "127.0.0.0/8"}[name]
		return v, ok
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{clock: clock.NewFixed(time.Now())}
	o := app.Options{Clock: s.clock, RootKey: rootKey, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if change != nil {
		change(&o)
	}
	a, err := app.Open(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() }) // a second Close, after a test's own, finds nothing to do
	s.App = a
	gate, err := httpapi.NewGate(a.Deps(routes.Healthz))
	if err != nil {
		t.Fatal(err)
	}
	constructors := all.Constructors()
	var table []routes.Route
	for _, r := range routes.All() {
		if constructors[r.ID] != nil {
			table = append(table, r)
		}
	}
	s.http = httpapi.Router(table, func(r routes.Route) http.Handler {
		return gate.Handler(constructors[r.ID](a.Deps(r)))
	}, gate.Fallback(table))
	return s
}

// setUp makes a tenant, a workspace and an agent's key.
func (s *service) setUp(t testing.TB) *service {
	t.Helper()
	s.admin = s.as(rootKey).post(t, "/v1/admin/tenants", `{"name":"t"}`, 201)["adminKey"].(string)
	s.ws = s.as(s.admin).post(t, "/v1/admin/workspaces", `{"name":"w"}`, 201)["workspaceId"].(string)
	s.key = s.as(s.admin).post(t, "/v1/admin/keys", `{"kind":"agent","workspaces":["`+s.ws+`"]}`, 201)["key"].(string)
	return s
}

type caller struct {
	*service
	bearer string
	idem   string
	run    string // the token of a run; it takes the bearer's place
}

func (s *service) as(bearer string) caller   { return caller{s, bearer, "", ""} }
func (s *service) asRun(token string) caller { return caller{s, "", "", token} }
func (c caller) once(key string) caller      { c.idem = key; return c }
func (s *service) agent() caller             { return s.as(s.key) }

func (c caller) call(t testing.TB, method, path, body string) (int, http.Header, map[string]any) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewBufferString(body))
	r.Header.Set("Authorization", "Bearer "+c.bearer)
	if c.run != "" {
		r.Header.Del("Authorization")
		r.Header.Set("X-Agentos-Run-Token", c.run)
	}
	if c.idem != "" {
		r.Header.Set("Idempotency-Key", c.idem)
	}
	w := httptest.NewRecorder()
	c.http.ServeHTTP(w, r)
	var out map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%s %s: %v: %s", method, path, err, w.Body)
		}
	}
	return w.Code, w.Header(), out
}

// request is call without the decoding.
func (c caller) request(t testing.TB, method, path, body string) (int, http.Header, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewBufferString(body))
	r.Header.Set("Authorization", "Bearer "+c.bearer)
	w := httptest.NewRecorder()
	c.http.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

func (c caller) post(t testing.TB, path, body string, want int) map[string]any {
	t.Helper()
	return c.do(t, "POST", path, body, want)
}

func (c caller) do(t testing.TB, method, path, body string, want int) map[string]any {
	t.Helper()
	status, _, out := c.call(t, method, path, body)
	if status != want {
		t.Fatalf("%s %s: status %d, want %d: %v", method, path, status, want, out)
	}
	return out
}

// settle relays what was committed and runs all workers until nothing is left.
func (s *service) settle(t testing.TB) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for busy := true; busy; {
		s.Relay.Flush(ctx)
		busy = false
		for _, w := range routes.Workers() {
			if w.Trigger != routes.OnQueue {
				continue
			}
			got, err := s.Queue.Receive(ctx, queue.Name(w.Queue), 10, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range got {
				busy = true
				if err := s.OnMessage(w)(ctx, m.Body); err != nil {
					t.Fatalf("%s: %v", w.ID, err)
				}
				if err := s.Queue.Delete(ctx, queue.Name(w.Queue), m.Handle); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
