package localserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/lambdahttp"
	"holdfast/internal/routes"
)

type function func(ctx context.Context, payload []byte) ([]byte, error)

func (f function) Invoke(ctx context.Context, payload []byte) ([]byte, error) { return f(ctx, payload) }

// naming is a function that answers its own name and what it was called with.
func naming(name string) lambda.Handler {
	return lambdahttp.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s %s", name, r.URL.EscapedPath(), body)
	}))
}

func tableHandler(t *testing.T) http.Handler {
	t.Helper()
	functions := map[string]lambda.Handler{}
	for _, r := range routes.All() {
		functions[r.ID] = naming(r.ID)
	}
	h, err := Handler(routes.All(), functions, naming("default"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestT55EveryRouteReachesItsFunction, literal segments first, and $default the rest.
func TestT55EveryRouteReachesItsFunction(t *testing.T) {
	h := tableHandler(t)
	ask := func(method, path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader("")))
		return strings.TrimSpace(w.Body.String())
	}
	for _, r := range routes.All() {
		path := r.Path
		for _, name := range []string{"{id}", "{operationId}", "{keyId}", "{jobId}", "{receiptId}", "{agent}", "{user}", "{webhookId}", "{deliveryId}"} {
			path = strings.ReplaceAll(path, name, "a%2Fb")
		}
		if got := ask(r.Method, path); got != r.ID+" "+path {
			t.Errorf("%s %s reached %q", r.Method, path, got)
		}
	}
	for request, want := range map[string]string{
		"GET /v1/memory/changes":       "memory-changes /v1/memory/changes",
		"GET /v1/memory/retrieve":      "memory-get /v1/memory/retrieve",
		"GET /v1/receipts/verify":      "receipts-verify /v1/receipts/verify",
		"GET /v1/nowhere":              "default /v1/nowhere",
		"DELETE /v1/memory/append/x/y": "default /v1/memory/append/x/y",
		"PATCH /v1/memory/append":      "default /v1/memory/append",
	} {
		method, path, _ := strings.Cut(request, " ")
		if got := ask(method, path); got != want {
			t.Errorf("%s reached %q, want %q", request, got, want)
		}
	}
}

// TestRoutesWithoutAFunctionAreAnError at start.
func TestRoutesWithoutAFunctionAreAnError(t *testing.T) {
	if _, err := Handler(routes.All(), map[string]lambda.Handler{}, naming("default")); err == nil {
		t.Error("no error")
	}
}

// started is a server on a port of its own.
func started(t *testing.T, h http.Handler, log io.Writer) (*Server, string, chan error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(h, slog.New(slog.NewJSONHandler(log, nil)))
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	return s, "http://" + l.Addr().String(), done
}

// TestT38ShutdownFinishesCallsUnderWay and takes no others.
func TestT38ShutdownFinishesCallsUnderWay(t *testing.T) {
	inside, goOn := make(chan struct{}), make(chan struct{})
	s, base, done := started(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(inside)
		<-goOn
		_, _ = io.WriteString(w, "finished")
	}), io.Discard)
	answer := make(chan string, 1)
	go func() {
		response, err := http.Get(base)
		if err != nil {
			answer <- err.Error()
			return
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close() // only read
		answer <- string(body)
	}()
	<-inside
	shut := make(chan error, 1)
	go func() { shut <- s.Shutdown(context.Background()) }()
	if err := <-done; err != nil {
		t.Fatalf("Serve: %v", err)
	}
	if response, err := http.Get(base); err == nil {
		_ = response.Body.Close() // only looked at
		t.Error("a call was taken after the shutdown began")
	}
	close(goOn)
	if got := <-answer; got != "finished" {
		t.Errorf("the call under way got %q", got)
	}
	if err := <-shut; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

// TestT38ShutdownCutsOffWhatTakesTooLong and says so.
func TestT38ShutdownCutsOffWhatTakesTooLong(t *testing.T) {
	inside := make(chan struct{})
	s, base, _ := started(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(inside)
		<-r.Context().Done()
	}), io.Discard)
	go func() {
		response, err := http.Get(base)
		if err == nil {
			_ = response.Body.Close() // it was cut off
		}
	}()
	<-inside
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Shutdown(ctx); err == nil {
		t.Error("no error")
	}
}

// TestHeadersOverTheLimitAreRefused as an HTTP API does: 10,240 bytes with the
// request line.
func TestHeadersOverTheLimitAreRefused(t *testing.T) {
	s, base, _ := started(t, tableHandler(t), io.Discard)
	defer func() { _ = s.Shutdown(context.Background()) }() // the test is over
	status := func(size int) int {
		r, err := http.NewRequest("GET", base+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Long", strings.Repeat("x", size))
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close() // only looked at
		return response.StatusCode
	}
	if got := status(9_000); got != 200 {
		t.Errorf("9,000 bytes: %d", got)
	}
	if got := status(11_000); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("11,000 bytes: %d", got)
	}
}

// TestT29WhatNetHTTPSaysIsLoggedWithoutItsText: it may hold what was sent.
func TestT29WhatNetHTTPSaysIsLoggedWithoutItsText(t *testing.T) {
	log := &bytes.Buffer{}
	s := NewServer(http.NotFoundHandler(), slog.New(slog.NewJSONHandler(log, nil)))
	s.http.ErrorLog.Print("panic serving: kanarya")
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil || strings.Contains(log.String(), "kanarya") || line["level"] != "WARN" {
		t.Errorf("%s, %v", log, err)
	}
}

// TestT8BodiesOverTheLimitGetTheirAnswer: the caller can finish sending.
func TestT8BodiesOverTheLimitGetTheirAnswer(t *testing.T) {
	s, base, _ := started(t, tableHandler(t), io.Discard)
	defer func() { _ = s.Shutdown(context.Background()) }() // the test is over
	client := &http.Client{Timeout: 10 * time.Second}
	response, err := client.Post(base+"/v1/memory/append", "application/json", strings.NewReader(strings.Repeat("x", 5<<20)))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close() // only read
	if n := strings.Count(string(body), "x"); response.StatusCode != 200 || n != routes.Body64K+1 {
		t.Errorf("%d with %d bytes", response.StatusCode, n)
	}
}
