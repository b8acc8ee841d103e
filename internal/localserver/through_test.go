package localserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
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

// raw sends bytes over TCP, ends the sending side where half says so, and answers
// what came back. A server that answers nothing has closed the connection.
func raw(t *testing.T, base, text string, half bool) (*http.Response, map[string]any) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // everything was read
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	if half {
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	var out map[string]any
	if err != nil || json.Unmarshal(body, &out) != nil {
		t.Fatalf("%d %v: %q", response.StatusCode, err, body)
	}
	if id := response.Header.Get("Request-Id"); !ids.Valid(id) || out["requestId"] != id || response.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d: %v %v", response.StatusCode, response.Header, out)
	}
	return response, out
}

// TestT9WhatWasNotReadIsNeverASuccess: cut, malformed and endless bodies, and what
// net/http refuses by itself.
func TestT9WhatWasNotReadIsNeverASuccess(t *testing.T) {
	base := whole(t)
	const head = "PUT /v1/memory/x HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer key\r\n"
	for name, c := range map[string]struct {
		text   string
		half   bool
		status int
	}{
		"broken chunk":     {head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", false, 400},
		"cut chunk":        {head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{}", true, 400},
		"cut body":         {head + "Content-Length: 500\r\n\r\n{}", true, 400},
		"cut long body":    {head + "Content-Length: 500000\r\n\r\n{}", true, 413},
		"unknown path":     {"POST /nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{}", true, 400},
		"no request":       {"nonsense\r\n\r\n", false, 400},
		"no host":          {"GET / HTTP/1.1\r\n\r\n", false, 400},
		"bad header":       {"GET / HTTP/1.1\r\nHost: h\r\nbad header: x\r\n\r\n", false, 400},
		"long header":      {"GET / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", 20_000) + "\r\n\r\n", false, 431},
		"expectation":      {"GET / HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n", false, 417},
		"transfer coding":  {head + "Transfer-Encoding: brotli\r\n\r\n", false, 501},
		"options of all":   {"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", false, 404},
		"two keys":         {head + "Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\n{}", false, 400},
		"escaped slash":    {"PUT /v1%2Fmemory/x HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", false, 404},
		"slash, no method": {"GET /v1%2Fmemory/x HTTP/1.1\r\nHost: h\r\n\r\n", false, 404},
		"escaped letter":   {"GET /v1/%6demory/x HTTP/1.1\r\nHost: h\r\n\r\n", false, 405},
	} {
		t.Run(name, func(t *testing.T) {
			response, out := raw(t, base, c.text, c.half)
			if response.StatusCode != c.status || out["status"] != float64(c.status) {
				t.Errorf("%d %v, want %d", response.StatusCode, out, c.status)
			}
		})
	}
}

// TestT15OneKeyWithACommaIsOneKey, and an escaped letter in the path is the letter.
func TestT15OneKeyWithACommaIsOneKey(t *testing.T) {
	base := whole(t)
	response, out := call(t, "PUT", base+"/v1/%6demory/x", `{"workspaceId":"`+workspaceID+`","content":"y"}`, map[string]string{"Idempotency-Key": "a,b"})
	if response.StatusCode != 200 {
		t.Errorf("%d %v", response.StatusCode, out)
	}
}

// TestABodyThatIsTooSlowIs408 and closes the connection.
func TestABodyThatIsTooSlowIs408(t *testing.T) {
	h := lambdahttp.Front(routes.MemoryUpdate, naming("never"))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("PUT", "/v1/memory/x", tooSlow{}))
	if w.Code != http.StatusRequestTimeout || !strings.Contains(w.Body.String(), "REQUEST_TIMEOUT") || w.Header().Get("Connection") != "close" || !ids.Valid(w.Header().Get("Request-Id")) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

type tooSlow struct{}

func (tooSlow) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }
