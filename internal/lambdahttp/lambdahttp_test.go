package lambdahttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/routes"
)

var itemRoute = routes.Route{ID: "item", Method: "PUT", Path: "/v1/items/{id}/parts/{part}", BodyLimit: routes.Body64K}

// heard is what a handler behind both sides saw.
type heard struct {
	method, path, escaped, query, host, remote, body string
	header                                           http.Header
	length                                           int64
}

// roundTrip sends a request through Front and Wrap and answers what arrived.
func roundTrip(t *testing.T, route routes.Route, r *http.Request) heard {
	t.Helper()
	var got heard
	inner := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = heard{method: r.Method, path: r.URL.Path, escaped: r.URL.EscapedPath(), query: r.URL.RawQuery, host: r.Host,
			remote: r.RemoteAddr, body: string(body), header: r.Header, length: r.ContentLength}
	})
	Front(route, Wrap(inner)).ServeHTTP(httptest.NewRecorder(), r)
	return got
}

// TestT55EncodedSlashesInIDsSurvive though rawPath arrives decoded.
func TestT55EncodedSlashesInIDsSurvive(t *testing.T) {
	for sent, want := range map[string]string{
		"/v1/items/a%2Fb/parts/c%20d":     "/v1/items/a%2Fb/parts/c%20d",
		"/v1/items/100%25/parts/%2541":    "/v1/items/100%25/parts/%2541",
		"/v1/items/%C3%BC/parts/a%3Fb%23": "/v1/items/%C3%BC/parts/a%3Fb%23",
		"/v1/items/plain/parts/p+q":       "/v1/items/plain/parts/p+q",
		"/v1/items/%2E%2E/parts/x":        "/v1/items/../parts/x",
	} {
		got := roundTrip(t, itemRoute, httptest.NewRequest("PUT", sent, nil))
		if got.escaped != want {
			t.Errorf("%s arrived as %s, want %s", sent, got.escaped, want)
		}
	}
}

// TestEventsCarryTheWholeRequest: method, query, host, headers, body.
func TestEventsCarryTheWholeRequest(t *testing.T) {
	r := httptest.NewRequest("PUT", "http://memory.example/v1/items/a/parts/b?x=1&x=2&y=%20%2B&z", strings.NewReader(`{"a":"<ü>\u0000"}`))
	r.Header.Set("If-Match", `"1", W/"2,3"`)
	r.Header.Set("If-Modified-Since", "Sun, 01 Mar 2026 09:00:00 GMT")
	r.Header.Add("X-Many", "a")
	r.Header.Add("X-Many", "b")
	r.Header.Add("Cookie", "a=1; b=2")
	r.Header.Add("Cookie", "c=3")
	r.RemoteAddr = "192.0.2.7:4711"
	got := roundTrip(t, itemRoute, r)
	for name, pair := range map[string][2]string{
		"method": {got.method, "PUT"}, "query": {got.query, "x=1&x=2&y=%20%2B&z"}, "host": {got.host, "memory.example"},
		"remote": {got.remote, "192.0.2.7"}, "body": {got.body, `{"a":"<ü>\u0000"}`},
		"If-Match": {got.header.Get("If-Match"), `"1", W/"2,3"`}, "a date": {got.header.Get("If-Modified-Since"), "Sun, 01 Mar 2026 09:00:00 GMT"},
		"many": {got.header.Get("X-Many"), "a,b"}, "cookie": {got.header.Get("Cookie"), "a=1; b=2; c=3"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	if len(got.header["If-Match"]) != 1 || got.length != int64(len(got.body)) {
		t.Errorf("If-Match %q, length %d", got.header["If-Match"], got.length)
	}
}

// TestT8BodiesArriveByteForByte: no UTF-8, NUL, nothing, one byte over the limit.
func TestT8BodiesArriveByteForByte(t *testing.T) {
	for name, body := range map[string]string{"broken": "\xff\xc3\x28", "nul": "a\x00b", "empty": "", "text": "İ \u2028 </x>", "marks": "\ufeff\ufffd"} {
		got := roundTrip(t, itemRoute, httptest.NewRequest("PUT", "/v1/items/a/parts/b", strings.NewReader(body)))
		if got.body != body || got.length != int64(len(body)) {
			t.Errorf("%s: %q", name, got.body)
		}
	}
	got := roundTrip(t, itemRoute, httptest.NewRequest("PUT", "/v1/items/a/parts/b", strings.NewReader(strings.Repeat("x", 200_000))))
	if len(got.body) != routes.Body64K+1 {
		t.Errorf("%d bytes of a body over the limit", len(got.body))
	}
}

// TestDefaultTakesAnyPath: what $default is called with.
func TestDefaultTakesAnyPath(t *testing.T) {
	for path, want := range map[string]string{"/v1/nowhere": "/v1/nowhere", "/": "/", "/a%2Fb": "/a/b"} {
		if got := roundTrip(t, routes.Route{}, httptest.NewRequest("BREW", path, nil)); got.path != want || got.method != "BREW" {
			t.Errorf("%s: %s %s", path, got.method, got.path)
		}
	}
}

// TestAnswersComeBackWhole: status, header lines, cookies, bytes.
func TestAnswersComeBackWhole(t *testing.T) {
	for name, body := range map[string]string{"json": `{"a":"<b>&"}`, "bytes": "\xff\x00\x01", "empty": ""} {
		inner := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"2"`)
			w.Header().Add("Set-Cookie", "a=1; Path=/")
			w.Header().Add("Set-Cookie", "b=2")
			w.WriteHeader(http.StatusTeapot)
			w.Header().Set("Late", "1")
			_, _ = io.WriteString(w, body)
		})
		w := httptest.NewRecorder()
		Front(itemRoute, Wrap(inner)).ServeHTTP(w, httptest.NewRequest("PUT", "/v1/items/a/parts/b", nil))
		header := w.Result().Header
		if w.Code != http.StatusTeapot || w.Body.String() != body || header.Get("ETag") != `"2"` || header.Get("Late") != "" {
			t.Errorf("%s: %d %q %v", name, w.Code, w.Body, header)
		}
		if !reflect.DeepEqual(header["Set-Cookie"], []string{"a=1; Path=/", "b=2"}) {
			t.Errorf("%s: cookies %q", name, header["Set-Cookie"])
		}
	}
}

// TestWrapReadsAWSEvents: a full event of the format, decoded by AWS's own type.
func TestWrapReadsAWSEvents(t *testing.T) {
	full := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "GET /v1/items/{id}", RawPath: "/v1/items/a/b", RawQueryString: "workspaceId=w&limit=5",
		Cookies: []string{"s=1"}, Headers: map[string]string{"authorization": "Bearer k", "if-none-match": `"1","2"`, "host": "api.example"},
		QueryStringParameters: map[string]string{"workspaceId": "w", "limit": "5"}, PathParameters: map[string]string{"id": "a/b"},
		StageVariables: map[string]string{"x": "y"}, Body: "aGk=", IsBase64Encoded: true,
	}
	full.RequestContext.HTTP = events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: "/v1/items/a/b", SourceIP: "198.51.100.4"}
	payload, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	h := Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.EscapedPath() != "/v1/items/a%2Fb" || r.URL.Query().Get("limit") != "5" || r.Header.Get("Authorization") != "Bearer k" ||
			r.Header.Get("If-None-Match") != `"1","2"` || string(body) != "hi" || r.Header.Get("Cookie") != "s=1" || r.Host != "api.example" {
			t.Errorf("%s %v %q", r.URL, r.Header, body)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	out, err := h.Invoke(context.Background(), payload)
	if err != nil {
		t.Fatal(err)
	}
	var answer events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(out, &answer); err != nil || answer.StatusCode != http.StatusNoContent || answer.Body != "" {
		t.Errorf("%s, %v", out, err)
	}
}

// TestWrapRefusesOtherEvents without repeating them.
func TestWrapRefusesOtherEvents(t *testing.T) {
	h := Wrap(http.NotFoundHandler())
	for _, payload := range []string{``, `{`, `[]`, `{}`, `{"Records":[{"body":"kanarya"}]}`,
		`{"requestContext":{"http":{"method":"POST"}},"body":"kanarya!","isBase64Encoded":true}`} {
		if out, err := h.Invoke(context.Background(), []byte(payload)); err == nil || out != nil || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%q: %s, %v", payload, out, err)
		}
	}
}

type function func(ctx context.Context, payload []byte) ([]byte, error)

func (f function) Invoke(ctx context.Context, payload []byte) ([]byte, error) { return f(ctx, payload) }

var _ lambda.Handler = function(nil)

// TestFrontAnswers500ForAFunctionThatFails, whatever it answered.
func TestFrontAnswers500ForAFunctionThatFails(t *testing.T) {
	for name, f := range map[string]function{
		"error":     func(context.Context, []byte) ([]byte, error) { return nil, errors.New("kanarya") },
		"no JSON":   func(context.Context, []byte) ([]byte, error) { return []byte("kanarya"), nil },
		"no status": func(context.Context, []byte) ([]byte, error) { return []byte(`{}`), nil },
		"bad base64": func(context.Context, []byte) ([]byte, error) {
			return []byte(`{"statusCode":200,"body":"%","isBase64Encoded":true}`), nil
		},
	} {
		w := httptest.NewRecorder()
		Front(itemRoute, f).ServeHTTP(w, httptest.NewRequest("PUT", "/v1/items/a/parts/b", nil))
		if w.Code != 500 || !json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), "kanarya") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// TestACallGoesOnWithoutItsCaller: a write that has begun is not cut off.
func TestACallGoesOnWithoutItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var after error
	inner := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		after = r.Context().Err()
	})
	Front(itemRoute, Wrap(inner)).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/v1/items/a/parts/b", nil).WithContext(ctx))
	if after != nil {
		t.Errorf("the call was cut off: %v", after)
	}
}

// FuzzRoundTrip: path parameters, query and body arrive as they were sent.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a/b", "x=1&y=%20", []byte(`{"a":1}`))
	f.Add("%2F", "", []byte("\xff\x00"))
	f.Add("..", "a=b;c", []byte{})
	f.Add("é?#", "%zz", []byte("\u2028"))
	f.Fuzz(func(t *testing.T, id, query string, body []byte) {
		if id == "" || strings.ContainsAny(query, " #\r\n\x00") || !utf8.ValidString(id) || len(body) > 1000 {
			return
		}
		r := httptest.NewRequest("PUT", "/v1/items/x/parts/y", bytes.NewReader(body))
		r.URL.Path, r.URL.RawPath, r.URL.RawQuery = "/v1/items/"+id+"/parts/y", "/v1/items/"+url.PathEscape(id)+"/parts/y", query
		got := roundTrip(t, itemRoute, r)
		if got.escaped != r.URL.EscapedPath() || got.query != ascii(query) || got.body != string(body) {
			t.Fatalf("%q %q %q arrived as %q %q %q", r.URL.EscapedPath(), query, body, got.escaped, got.query, got.body)
		}
	})
}

// TestT8QueriesThatAreNoUTF8AreNotRepaired on the way.
func TestT8QueriesThatAreNoUTF8AreNotRepaired(t *testing.T) {
	r := httptest.NewRequest("PUT", "/v1/items/a/parts/b", nil)
	r.URL.RawQuery = "user=\xffü&x=%20"
	if got := roundTrip(t, itemRoute, r); got.query != "user=%FF%C3%BC&x=%20" {
		t.Errorf("query %q", got.query)
	}
}

// BenchmarkCall is the way of a 300-byte append to its handler and back: event,
// JSON in and out, request, answer.
func BenchmarkCall(b *testing.B) {
	route := routes.Route{ID: "append", Method: "POST", Path: "/v1/memory/append", BodyLimit: routes.Body64K}
	answer := []byte(`{"id":"0190aaaa-0000-7000-8000-000000000001","merged":false,"contentReplaced":false,"operationId":"0190aaaa-0000-7000-8000-000000000002"}`)
	h := Front(route, Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Request-Id", "0190aaaa-0000-7000-8000-000000000003")
		_, _ = w.Write(answer)
	})))
	body := `{"workspaceId":"0190aaaa-0000-7000-8000-000000000004","content":"` + strings.Repeat("harbour ", 30) + `"}`
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "/v1/memory/append", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer holdfast_0190aaaa_abcdefghijklmnopqrstuvwxyzabcdefghijklmnop")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "0190aaaa-0000-7000-8000-000000000005")
		h.ServeHTTP(&silent{header: http.Header{}}, r)
	}
}

type silent struct{ header http.Header }

func (s *silent) Header() http.Header         { return s.header }
func (s *silent) Write(p []byte) (int, error) { return len(p), nil }
func (s *silent) WriteHeader(int)             {}

// TestT9SilenceIsNoSuccess: a handler that writes nothing, a status that is no final
// answer, a body that cannot be read.
func TestT9SilenceIsNoSuccess(t *testing.T) {
	silent := Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	early := Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProcessing) }))
	fine := Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	for name, c := range map[string]struct {
		function lambda.Handler
		body     io.Reader
		status   int
	}{
		"silent": {silent, strings.NewReader(""), 500}, "early": {early, strings.NewReader(""), 500},
		"cut": {fine, io.MultiReader(strings.NewReader("{"), failing{}), 400}, "fine": {fine, strings.NewReader("{}"), 200},
	} {
		w := httptest.NewRecorder()
		Front(itemRoute, c.function).ServeHTTP(w, httptest.NewRequest("PUT", "/v1/items/a/parts/b", c.body))
		if w.Code != c.status || c.status != 200 && (w.Header().Get("Request-Id") == "" || !strings.Contains(w.Body.String(), `"status":`+strconv.Itoa(c.status))) {
			t.Errorf("%s: %d %v %s", name, w.Code, w.Header(), w.Body)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
