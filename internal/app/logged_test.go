package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"holdfast/internal/app"
	"holdfast/internal/embed"
	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/all"
	"holdfast/internal/lambdahttp"
	"holdfast/internal/lambdawork"
	"holdfast/internal/obs"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// hint is content that no line may hold.
const hint = "zanzibarquokka"

// unwell is an embedding model that panics or fails, with the text that it got.
type unwell struct {
	embed.Embedder
	panics bool
}

func (u unwell) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if u.panics {
		panic(texts[0])
	}
	return nil, errors.New(texts[0])
}

// logged is the product with what it says.
type logged struct {
	*service
	faults *faultstore.Store
	log    *bytes.Buffer
}

func openLogged(t *testing.T) *logged {
	t.Helper()
	l := &logged{log: &bytes.Buffer{}}
	l.service = openOver(t, t.TempDir(), func(o *app.Options) {
		o.Log = obs.NewLogger(l.log, nil, rootKey)
		o.WrapStore = func(s store.Store) store.Store { l.faults = faultstore.New(s); return l.faults }
	}).setUp(t)
	l.log.Reset()
	return l
}

// serves lets one route of a new process answer, as a function or by itself. Its
// embedding model panics at a retrieve and fails at all else.
func (l *logged) serves(t *testing.T, r routes.Route, function bool) {
	t.Helper()
	d := l.Deps(r)
	d.Embedder = embed.Guard(unwell{d.Embedder, true}, d.Log)
	gate, err := httpapi.NewGate(d)
	if err != nil {
		t.Fatal(err)
	}
	if l.http = gate.Handler(all.Constructors()[r.ID](d)); function {
		l.http = lambdahttp.Front(r, lambdahttp.Wrap(l.http))
	}
}

// line is the line with a message; each member stands in it once.
func (l *logged) line(t *testing.T, message string) map[string]any {
	t.Helper()
	for text := range strings.Lines(l.log.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if line["msg"] != message {
			continue
		}
		for name := range line {
			if n := strings.Count(text, fmt.Sprintf(`%q:`, name)); n != 1 {
				t.Errorf("%s stands %d times in %s", name, n, text)
			}
		}
		return line
	}
	t.Fatalf("no line says %q: %s", message, l.log)
	return nil
}

func (l *logged) has(t *testing.T, message string, want map[string]any) {
	t.Helper()
	line := l.line(t, message)
	for name, value := range want {
		if line[name] != value {
			t.Errorf("%q: %s is %v, want %v", message, name, line[name], value)
		}
	}
}

// secret fails when content or a key was logged, or only just hidden.
func (l *logged) secret(t *testing.T) {
	t.Helper()
	for _, secret := range []string{hint, rootKey, l.key, l.admin, "holdfast_", "[redacted]"} {
		if strings.Contains(l.log.String(), secret) {
			t.Errorf("%q is logged: %s", secret, l.log)
		}
	}
}

// broken are calls of which a layer below says something.
var broken = map[string]struct {
	route  routes.Route
	path   string
	body   string // with the workspace
	status int
	says   string
}{
	"the embedding model panics": {routes.MemoryRetrieve, "/v1/memory/retrieve", `{"workspaceId":%q,"semanticQuery":"` + hint + `"}`,
		http.StatusOK, "the embedding model panicked"},
	"the table is away": {routes.MemoryAppend, "/v1/memory/append",
		`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":"The crane is a ` + hint + `."}`,
		http.StatusServiceUnavailable, "commit failed"},
}

// TestT29ALineOfALowerLayerNamesItsRequest and says nothing else about it.
func TestT29ALineOfALowerLayerNamesItsRequest(t *testing.T) {
	for name, c := range broken {
		for _, function := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, function %v", name, function), func(t *testing.T) {
				l := openLogged(t)
				l.serves(t, c.route, function)
				who, err := l.Keys.Authenticate(t.Context(), l.key)
				if err != nil {
					t.Fatal(err)
				}
				l.faults.Arm(faultstore.Fault{At: 1, Times: 9, Ops: []faultstore.Op{faultstore.Commit}})
				status, header, _ := l.agent().call(t, "POST", c.path, fmt.Sprintf(c.body, l.ws))
				want := map[string]any{"requestId": header.Get("Request-Id"), "route": c.route.ID, "cold": true,
					"tenant": who.TenantID, "workspace": l.ws, "key": who.KeyID}
				if status != c.status || want["requestId"] == "" {
					t.Errorf("status %d, header %v", status, header)
				}
				l.has(t, c.says, want)
				l.has(t, "request", want)
				l.secret(t)
			})
		}
	}
}

// TestT29ALineOfAWorkerNamesItsMessage: whose job failed, and in which worker.
func TestT29ALineOfAWorkerNamesItsMessage(t *testing.T) {
	l := openLogged(t)
	l.serves(t, routes.MemoryAppend, false)
	l.remember(t, "one", "The crane is a "+hint+".")
	who, err := l.Keys.Authenticate(t.Context(), l.key)
	if err != nil {
		t.Fatal(err)
	}
	l.Embedder = unwell{l.Embedder, false}
	w := routes.WorkerEmbed
	l.Relay.Flush(t.Context())
	got, err := l.Queue.Receive(t.Context(), queue.Name(w.Queue), 1, 0)
	if err != nil || len(got) != 1 {
		t.Fatalf("%d messages, %v", len(got), err)
	}
	batch := fmt.Sprintf(`{"Records":[{"messageId":%q,"body":%q}]}`, got[0].ID, got[0].Body)
	if out, err := lambdawork.Queue(w, l.OnMessage(w), l.Log).Invoke(t.Context(), []byte(batch)); err != nil {
		t.Fatalf("%s, %v", out, err)
	}
	want := map[string]any{"requestId": got[0].ID, "route": w.ID, "tenant": who.TenantID, "workspace": l.ws, "key": nil}
	l.has(t, "job failed", want)
	delete(want, "tenant") // the loop knows no message's tenant
	delete(want, "workspace")
	l.has(t, "message", want)
	l.secret(t)
}

// TestT29OfAMessageOnlyIDsAreLogged, whoever wrote it.
func TestT29OfAMessageOnlyIDsAreLogged(t *testing.T) {
	l := openLogged(t)
	l.faults.Arm(faultstore.Fault{At: 1, Times: 9})
	w := routes.WorkerErase
	body := fmt.Sprintf(`{"tenant":%q,"workspace":%q,"job":%q}`, hint, hint, hint)
	batch := fmt.Sprintf(`{"Records":[{"messageId":"m1","body":%q}]}`, body)
	if out, err := lambdawork.Queue(w, l.OnMessage(w), l.Log).Invoke(t.Context(), []byte(batch)); err != nil || !strings.Contains(string(out), "m1") {
		t.Fatalf("%s, %v", out, err)
	}
	l.has(t, "message", map[string]any{"requestId": "m1", "route": w.ID})
	l.secret(t)
}
