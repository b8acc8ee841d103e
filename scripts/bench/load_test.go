package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// echo answers the body; /long in chunks, /bad with 503.
func echo(t *testing.T, calls *atomic.Int64) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := calls.Add(1)
		w.Header().Set("Memory-Sequence", strconv.FormatInt(n, 10))
		if r.URL.Path == "/bad" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Header.Get("Authorization") != "Bearer key" {
			t.Error("no bearer")
		}
		if r.URL.Path == "/long" {
			body = []byte(strings.Repeat(string(body), 4000))
		}
		if _, err := w.Write(body); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestWireReadsWholeAndChunkedAnswers(t *testing.T) {
	var calls atomic.Int64
	s := echo(t, &calls)
	w, err := dial(strings.TrimPrefix(s.URL, "http://"), "key")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/short", "/long", "/short", "/bad"} {
		r, err := w.call(http.MethodPost, path, []byte(`{"a":1}`))
		if err != nil {
			t.Fatal(path, err)
		}
		want, status := 7, 200
		if path == "/long" {
			want = 28000
		}
		if path == "/bad" {
			status = 503
		}
		if len(r.Body) != want || r.Status != status || r.Sequence != calls.Load() {
			t.Errorf("%s: status %d, %d bytes, sequence %d", path, r.Status, len(r.Body), r.Sequence)
		}
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
}

func TestLoadSendsEveryRequestOnce(t *testing.T) {
	var calls atomic.Int64
	s := echo(t, &calls)
	addr := strings.TrimPrefix(s.URL, "http://")
	seen := make([]atomic.Int64, 100)
	got, err := load(t.Context(), addr, "key", 8, len(seen), func(i int) (string, []byte) {
		seen[i].Add(1)
		return "/short", []byte("{}")
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range seen {
		if seen[i].Load() != 1 {
			t.Errorf("request %d was sent %d times", i, seen[i].Load())
		}
	}
	if got.Calls != 100 || got.Sequence != 100 || got.PerSec <= 0 {
		t.Errorf("run %+v", got)
	}
}

func TestLoadFailsOnABadAnswerAndACancelledContext(t *testing.T) {
	var calls atomic.Int64
	s := echo(t, &calls)
	addr := strings.TrimPrefix(s.URL, "http://")
	bad := func(int) (string, []byte) { return "/bad", []byte("{}") }
	if _, err := load(t.Context(), addr, "key", 2, 10, bad); err == nil {
		t.Error("status 503 is no error")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := load(ended, addr, "key", 2, 10, bad); err == nil {
		t.Error("a cancelled load is no error")
	}
}
