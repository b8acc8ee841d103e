package httpapi

import (
	"holdfast/internal/commit"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/routes"
)

// tell answers with the id of its route.
func tell(r routes.Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Route", r.ID) })
}

func chosen(h http.Handler, method, path string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Result().Header.Get("Route")
}

// mostSpecific is the rule of API Gateway, written down again: of the routes of
// a method that match, the one whose first differing segment is literal.
func mostSpecific(table []routes.Route, method, path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	best, rank := "", ""
	for _, r := range table {
		own := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
		if r.Method != method || len(own) != len(parts) {
			continue
		}
		form := ""
		for i, s := range own {
			switch {
			case strings.HasPrefix(s, "{") && parts[i] != "":
				form += "1"
			case s == parts[i]:
				form += "2"
			default:
				form += "0"
			}
		}
		if !strings.Contains(form, "0") && form > rank {
			best, rank = r.ID, form
		}
	}
	return best
}

// TestT55LiteralSegmentsBeatParameters for every route of the table and every
// path that mixes its segments with those of its neighbours.
func TestT55LiteralSegmentsBeatParameters(t *testing.T) {
	table := routes.All()
	router := Router(table, tell, tell(routes.Route{}))
	words := []string{"x1", "018f0000-0000-7000-8000-000000000001"}
	for _, r := range table {
		for _, s := range strings.Split(r.Path, "/") {
			if s != "" && !strings.HasPrefix(s, "{") && !slices.Contains(words, s) {
				words = append(words, s)
			}
		}
	}
	for _, r := range table {
		for _, word := range words {
			path := replaced(r.Path, word)
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
				if got, want := chosen(router, method, path), mostSpecific(table, method, path); got != want {
					t.Errorf("%s %s went to %q, want %q", method, path, got, want)
				}
			}
		}
		if got := chosen(router, r.Method, replaced(r.Path, "x1")); got != r.ID {
			t.Errorf("%s %s went to %q, want %q", r.Method, r.Path, got, r.ID)
		}
	}
}

func replaced(path, word string) string {
	parts := strings.Split(path, "/")
	for i, s := range parts {
		if strings.HasPrefix(s, "{") {
			parts[i] = word
		}
	}
	return strings.Join(parts, "/")
}

// TestT54UnknownPathsAndMethods: 404, or 405 with all methods of the path.
func TestT54UnknownPathsAndMethods(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	table := routes.All()
	h := Router(table, func(r routes.Route) http.Handler { return g.Handler(endpointOf[anyInput](pathOnly(r))) }, g.Fallback(table))
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/v1/memoriez", 404, ""},
		{"GET", "/v2/memory", 404, ""},
		{"GET", "/v1/receipt", 404, ""},
		{"GET", "/", 404, ""},
		{"GET", "//v1//memory", 404, ""},
		{"GET", "/v1/memory/retrieve/x", 404, ""},
		{"GET", "/v1/memory/", 404, ""},
		{"PATCH", "/v1/memory/append", 405, "DELETE, GET, POST, PUT"},
		{"PUT", "/v1/receipts", 405, "GET"},
		{"POST", "/healthz", 405, "GET"},
		{"HEAD", "/healthz", 405, "GET"},
		{"OPTIONS", "/v1/admin/keys", 405, "GET, POST"},
		{"DELETE", "/v1/memory/operations/x", 405, "GET"},
		{"DELETE", "/v1/admin/workspaces/x", 405, "GET, PATCH"},
		{"BREW", "/v1/admin/workspaces/a%2Fb", 405, "GET, PATCH"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		header := w.Result().Header
		if w.Code != c.status || header.Get("Allow") != c.allow || header.Get("Request-Id") == "" || header.Get("Content-Type") != problemType {
			t.Errorf("%s %s: %d, Allow %q, %v", c.method, c.path, w.Code, header.Get("Allow"), header)
		}
		code := map[int]string{404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}[c.status]
		if !strings.Contains(w.Body.String(), code) {
			t.Errorf("%s %s: %s", c.method, c.path, w.Body)
		}
	}
}

// TestT54UnderV0TheErrorObject of R3.1 answers.
func TestT54UnderV0TheErrorObject(t *testing.T) {
	answer := ask(t, newGate(t, testDeps(io.Discard)).Fallback(routes.All()), "GET", "/v0/nowhere", "")
	body, _ := answer.body["error"].(map[string]any)
	if answer.status != 404 || body["code"] != "not_found" || body["message"] == "" || len(answer.body) != 1 || answer.header.Get("Request-Id") == "" {
		t.Errorf("%d %s", answer.status, answer.raw)
	}
}

type anyInput struct{}

// pathOnly is a route that needs neither body nor workspace.
func pathOnly(r routes.Route) routes.Route {
	r.Scope, r.BodyLimit = routes.TenantScope, 0
	return r
}

// TestT54RouterAndFallbackReadPathsAlike: where a route takes the method, the call
// reaches it; where none knows the path, it is 404.
func TestT54RouterAndFallbackReadPathsAlike(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	table := []routes.Route{storeRoute, readRoute, openRoute}
	endpoints := map[string]Endpoint{storeRoute.ID: echoStore(), readRoute.ID: echoRead(), openRoute.ID: endpointOf[struct{}](openRoute)}
	h := Router(table, func(r routes.Route) http.Handler { return g.Handler(endpoints[r.ID]) }, g.Fallback(table))
	for request, want := range map[string]int{
		"GET /open": 200, "GET /%6fpen": 200, "GET /%6Fpen": 200, "POST /%6fpen": 405, "GET %2Fopen": 404, "GET /%2Fopen": 404, "GET /open%2F": 404, "GET /open/": 404,
		"GET //open": 404, "POST /v1%2Fthings": 404, "PUT /v1%2Fthings": 404, "PUT /v1/%74hings": 405,
		"GET /%76%31/things/a%2Fb?workspaceId=" + ours: 200, "GET /v1/things/%61?workspaceId=" + ours: 200, "GET /v1/things/a/b": 404, "OPTIONS *": 404,
	} {
		method, target, _ := strings.Cut(request, " ")
		r := httptest.NewRequest(method, "/", nil)
		r.Header.Set("Authorization", "Bearer "+goodKey)
		at, err := url.ParseRequestURI(target)
		if err != nil {
			at = &url.URL{Path: "/open", RawPath: target}
		}
		r.URL, r.RequestURI = at, target
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want || (w.Code == 405) != (w.Header().Get("Allow") != "") {
			t.Errorf("%s: %d, Allow %q, want %d", request, w.Code, w.Header().Get("Allow"), want)
		}
	}
}

// TestNothingWrittenHasNoSequence to tell.
func TestNothingWrittenHasNoSequence(t *testing.T) {
	if h := OK(1).Wrote(commit.Outcome{}).Header; len(h) != 0 {
		t.Errorf("headers %v", h)
	}
	if h := OK(1).Wrote(commit.Outcome{Sequence: 7}).Header; h.Get(headerSequence) != "7" {
		t.Errorf("headers %v", h)
	}
}
