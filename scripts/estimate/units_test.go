package main

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
	"sync"
	"testing"

	"holdfast/internal/app"
	"holdfast/internal/config"
	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/all"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
	"holdfast/internal/store"
)

// meter counts the units that DynamoDB would charge for what passes through it: a
// write unit a KB, two in a transaction, one more for an entry in the due index; a
// read unit 4 KB.
type meter struct {
	store.Store
	store.Scanner

	mu sync.Mutex
	units
}

// units are what was counted.
type units struct {
	writes, reads float64
	bytes         int
}

func (u units) plus(v units) units {
	return units{u.writes + v.writes, u.reads + v.reads, u.bytes + v.bytes}
}

func blocks(size, of int) float64 { return float64(max(1, (size+of-1)/of)) }

func (m *meter) read(size int) {
	m.mu.Lock()
	m.reads += blocks(size, 4096)
	m.mu.Unlock()
}

func (m *meter) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	item, found, err := m.Store.Get(ctx, key)
	m.read(store.Size(item))
	return item, found, err
}

func (m *meter) GetMany(ctx context.Context, keys []store.Key) ([]*store.Item, error) {
	items, err := m.Store.GetMany(ctx, keys)
	for _, item := range items {
		if item != nil {
			m.read(store.Size(*item))
		} else {
			m.read(0)
		}
	}
	return items, err
}

func (m *meter) Query(ctx context.Context, q store.Query) (store.Page, error) {
	page, err := m.Store.Query(ctx, q)
	size := 0
	for _, item := range page.Items {
		size += store.Size(item)
	}
	m.read(size)
	return page, err
}

func (m *meter) Commit(ctx context.Context, tx store.Tx) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	times := 1.0
	if len(tx.Actions) > 1 {
		times = 2
	}
	for _, a := range tx.Actions {
		size := store.Size(a.Item)
		m.writes += times * blocks(size, 1024)
		if a.Item.Due != nil {
			m.writes++
		}
		if a.Verb == store.Put {
			m.bytes += size
		}
	}
	return m.Store.Commit(ctx, tx)
}

// taken answers what was counted since the last time.
func (m *meter) taken() units {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.units
	m.units = units{}
	return u
}

// service is the product in one process over a meter.
type service struct {
	*app.App
	*meter
	http http.Handler
}

func open(t *testing.T) *service {
	t.Helper()
	c, err := config.FromEnviron([]string{"HOLDFAST_DATA=" + t.TempDir(), "HOLDFAST_RATE_KEY_PER_MINUTE=0"})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{meter: &meter{}}
	s.App, err = app.Open(t.Context(), c, app.Options{RootKey: strings.Repeat("k", 40), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		WrapStore: func(inner store.Store) store.Store {
			s.meter.Store, s.meter.Scanner = inner, inner.(store.Scanner)
			return s.meter
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	gate, err := httpapi.NewGate(s.Deps(routes.Healthz))
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
	s.http = httpapi.Router(table, func(r routes.Route) http.Handler { return gate.Handler(constructors[r.ID](s.Deps(r))) }, gate.Fallback(table))
	return s
}

func (s *service) call(t *testing.T, key, method, path, body string) map[string]any {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewBufferString(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	s.http.ServeHTTP(w, r)
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code > 299 {
		t.Fatalf("%s %s: %d, %v", method, path, w.Code, err)
	}
	return out
}

// settle runs the workers until nothing is left.
func (s *service) settle(t *testing.T) {
	t.Helper()
	for busy := true; busy; {
		s.Relay.Flush(t.Context())
		busy = false
		for _, w := range routes.Workers() {
			handle := s.OnMessage(w)
			if handle == nil || w.Queue == "" {
				continue
			}
			got, err := s.Queue.Receive(t.Context(), queue.Name(w.Queue), 10, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range got {
				busy = true
				if err := handle(t.Context(), m.Body); err != nil {
					t.Fatal(err)
				}
				if err := s.Queue.Delete(t.Context(), queue.Name(w.Queue), m.Handle); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// workspace makes a tenant with a workspace and an agent's key.
func (s *service) workspace(t *testing.T) (id, key string) {
	t.Helper()
	admin := s.call(t, strings.Repeat("k", 40), "POST", "/v1/admin/tenants", `{"name":"t"}`)["adminKey"].(string)
	id = s.call(t, admin, "POST", "/v1/admin/workspaces", `{"name":"w"}`)["workspaceId"].(string)
	key = s.call(t, admin, "POST", "/v1/admin/keys", `{"kind":"agent","workspaces":["`+id+`"]}`)["key"].(string)
	return id, key
}

// TestUnitsAreThoseOfTheService measures what the estimate assumes of a call, each
// append indexed alone: the assumption may be a little above, never below.
func TestUnitsAreThoseOfTheService(t *testing.T) {
	s := open(t)
	ws, key := s.workspace(t)
	const n, dimension = 80, 384
	id := ""
	appended := func(i int) {
		text := fmt.Sprintf("On day %d the crew of boat %d hauled %d crates of mackerel ashore near the old lighthouse and sold them before noon.", i, i*7, i*13)
		id = s.call(t, key, "POST", "/v1/memory/append", fmt.Sprintf(`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":%q}`, ws, text))["id"].(string)
	}
	appended(1000)
	s.settle(t)
	s.taken()
	var written, indexed units
	for i := range n {
		appended(i)
		written = written.plus(s.taken())
		s.settle(t)
		indexed = indexed.plus(s.taken())
	}
	for i := range n {
		s.call(t, key, "POST", "/v1/memory/retrieve", fmt.Sprintf(`{"workspaceId":%q,"semanticQuery":"crates of mackerel on day %d"}`, ws, i))
	}
	retrieved := s.taken()
	for range n {
		s.call(t, key, "GET", "/v1/memory/"+id+"?workspaceId="+ws, "")
	}
	read := s.taken()
	for name, c := range map[string]struct{ measured, assumed float64 }{
		"writes of an append": {written.writes / n, appendWrites + vectorUnits(dimension)},
		"reads of an append":  {written.reads / n, appendReads},
		"writes of indexing":  {indexed.writes / n, indexWrites},
		"reads of indexing":   {indexed.reads / n, indexReads},
		"reads of a retrieve": {retrieved.reads / n, retrieveReads},
		"reads of a get":      {read.reads / n, readReads},
		"bytes of a memory":   {float64(written.bytes) / n, rowBytes + dimension*4},
	} {
		if c.measured > c.assumed || c.measured < c.assumed/2 {
			t.Errorf("%s: measured %.2f, assumed %.2f", name, c.measured, c.assumed)
		}
	}
}
