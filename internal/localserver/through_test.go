package localserver

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/clock"
	"holdfast/internal/httpapi"
	"holdfast/internal/ids"
	"holdfast/internal/lambdahttp"
	"holdfast/internal/routes"
	"holdfast/internal/tenant"
)

const workspaceID = "018f0000-0000-7000-8000-000000000001"

type oneKey struct{}

func (oneKey) Authenticate(context.Context, string) (apikey.Principal, error) {
	return apikey.Principal{KeyID: "k", TenantID: "t", Kind: apikey.Agent, Capabilities: capability.All()}, nil
}

type anyWorkspace struct{}

func (anyWorkspace) Workspace(_ context.Context, _, id string) (tenant.Workspace, error) {
	return tenant.Workspace{ID: id}, nil
}

type storeInput struct {
	ID   string `path:"id"`
	Body struct {
		Content string            `json:"content"`
		Tags    map[string]string `json:"tags" required:"false"`
	}
}

type storeAnswer struct {
	ID      string            `json:"id"`
	Content string            `json:"content"`
	Tags    map[string]string `json:"tags"`
	Allowed bool              `json:"allowed"`
}

// whole is a server whose memory-update route is real down to the service.
func whole(t *testing.T) string {
	t.Helper()
	at := clock.NewFixed(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	g, err := httpapi.NewGate(httpapi.Deps{Clock: at, IDs: ids.NewSource(at.Now, nil), Log: slog.New(slog.NewJSONHandler(io.Discard, nil)),
		Auth: oneKey{}, Workspaces: anyWorkspace{}, CursorSecret: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	update := httpapi.Handle(routes.MemoryUpdate, func(_ context.Context, c *httpapi.Call, in *storeInput) (httpapi.Reply[storeAnswer], error) {
		return httpapi.OK(storeAnswer{in.ID, in.Body.Content, in.Body.Tags, c.AllowsVersion(3)}).ETag(3), nil
	})
	table := []routes.Route{routes.MemoryUpdate}
	h, err := Handler(table, map[string]lambda.Handler{routes.MemoryUpdate.ID: lambdahttp.Wrap(g.Handler(update))}, lambdahttp.Wrap(g.Fallback(table)))
	if err != nil {
		t.Fatal(err)
	}
	s, base, _ := started(t, h, io.Discard)
	t.Cleanup(func() { _ = s.Shutdown(context.Background()) }) // the test is over
	return base
}

// call sends a request over TCP.
func call(t *testing.T, method, url, body string, headers map[string]string) (*http.Response, map[string]any) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer key")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	var out map[string]any
	if err != nil || json.Unmarshal(raw, &out) != nil {
		t.Fatalf("%v: %q", err, raw)
	}
	return response, out
}

// TestT8TheWholeWayKeepsAndRefuses: from TCP through event and function to the
// endpoint and back.
func TestT8TheWholeWayKeepsAndRefuses(t *testing.T) {
	url := whole(t) + "/v1/memory/a%2Fb"
	frame := func(content string) string {
		return `{"workspaceId":"` + workspaceID + `","content":"` + content + `"}`
	}
	for _, text := range []string{"e\u0301 beside \u00e9", "İstanbul, 東京, 🙂", "</x> & <y>", "\u2028"} {
		response, out := call(t, "PUT", url, frame(text), map[string]string{"If-Match": `"1", "3"`, "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"})
		if response.StatusCode != 200 || out["content"] != text || out["id"] != "a/b" || out["allowed"] != true {
			t.Errorf("%q: %d %v", text, response.StatusCode, out)
		}
		h := response.Header
		if h.Get("ETag") != `"3"` || !ids.Valid(h.Get("Request-Id")) || !strings.Contains(h.Get("traceparent"), "4bf92f3577b34da6a3ce929d0e0e4736") ||
			h.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", h)
		}
	}
	for name, body := range map[string]string{"bad UTF-8": frame("\xff"), "half a sequence": frame("\xc3\x28"), "encoded surrogate": frame("\xed\xa0\x80"),
		"raw NUL": frame("a\x00b"), "NUL escape": frame(`a\u0000b`), "lone surrogate": frame(`\ud800`), "nothing": "", "garbage": frame("x") + "x"} {
		response, out := call(t, "PUT", url, body, nil)
		if response.StatusCode != 400 || response.Header.Get("Content-Type") != "application/problem+json" || out["requestId"] != response.Header.Get("Request-Id") {
			t.Errorf("%s: %d %v", name, response.StatusCode, out)
		}
	}
	response, out := call(t, "PUT", url, frame(strings.Repeat("x", 70_000)), nil)
	if response.StatusCode != 413 || out["code"] != "BODY_TOO_LARGE" {
		t.Errorf("over the limit: %d %v", response.StatusCode, out)
	}
}

// TestT54TheWholeWayOfUnknownPaths goes through $default.
func TestT54TheWholeWayOfUnknownPaths(t *testing.T) {
	base := whole(t)
	response, out := call(t, "GET", base+"/v1/nowhere?x=1", "", nil)
	if response.StatusCode != 404 || out["code"] != "NOT_FOUND" || response.Header.Get("Request-Id") == "" {
		t.Errorf("%d %v", response.StatusCode, out)
	}
	response, out = call(t, "DELETE", base+"/v1/memory/x", "", nil)
	if response.StatusCode != 405 || out["code"] != "METHOD_NOT_ALLOWED" || response.Header.Get("Allow") != "PUT" {
		t.Errorf("%d %v %v", response.StatusCode, out, response.Header)
	}
}
