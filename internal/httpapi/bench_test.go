package httpapi

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// silent is a ResponseWriter that keeps nothing.
type silent struct{ header http.Header }

func (s *silent) Header() http.Header         { return s.header }
func (s *silent) Write(p []byte) (int, error) { return len(p), nil }
func (s *silent) WriteHeader(int)             {}

type stored struct {
	ID              string `json:"id"`
	Merged          bool   `json:"merged"`
	ContentReplaced bool   `json:"contentReplaced"`
	OperationID     string `json:"operationId"`
}

// appendBody is an append of about 300 bytes.
var appendBody = `{"workspaceId":"` + ours + `","runId":"run-17","content":"The harbour office opens at six on weekdays and at eight ` +
	`on Saturdays; deliveries for the northern quay are taken at the side door.","tags":{"facet":"opening","place":"harbour"},` +
	`"importance":0.5,"level":"low"}`

// BenchmarkAppend measures everything around the service method: request id,
// authentication (faked), JSON in and out, validation, idempotency, log line.
func BenchmarkAppend(b *testing.B) {
	e := Handle(storeRoute, func(_ context.Context, c *Call, in *storeInput) (Reply[stored], error) {
		return OK(stored{ID: c.RequestID, OperationID: c.RequestID}), nil
	})
	h := newGate(b, testDeps(io.Discard)).Handler(e)
	body := strings.NewReader(appendBody)
	b.ReportAllocs()
	for b.Loop() {
		body.Reset(appendBody)
		r := httptest.NewRequest("POST", "/v1/things", body)
		r.Header.Set("Authorization", "Bearer "+goodKey)
		r.Header.Set("Idempotency-Key", "0190aaaa-0000-7000-8000-000000000001")
		h.ServeHTTP(&silent{header: http.Header{}}, r)
	}
}

// BenchmarkRequestAlone is the part of BenchmarkAppend that makes the request.
func BenchmarkRequestAlone(b *testing.B) {
	body := strings.NewReader(appendBody)
	b.ReportAllocs()
	for b.Loop() {
		body.Reset(appendBody)
		r := httptest.NewRequest("POST", "/v1/things", body)
		r.Header.Set("Authorization", "Bearer "+goodKey)
		r.Header.Set("Idempotency-Key", "0190aaaa-0000-7000-8000-000000000001")
	}
}

// BenchmarkCheck measures the walker alone.
func BenchmarkCheck(b *testing.B) {
	in := echoStore().input
	raw := []byte(appendBody)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if seen := checkJSON(raw, in.rule, ""); seen.broken || len(seen.fields) > 0 {
			b.Fatal(seen)
		}
	}
}
