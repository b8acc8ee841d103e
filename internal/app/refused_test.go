package app_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"holdfast/internal/outbox"
	"holdfast/internal/routes"
	"holdfast/internal/search"
)

// choosy is an index that does not take one item.
type choosy struct {
	search.Index
	item string
}

func (x *choosy) Apply(ctx context.Context, ops []search.Op) []error {
	out := make([]error, len(ops))
	for i, op := range ops {
		if out[i] = search.ErrRefused; op.Document.ItemID() != x.item {
			out[i] = x.Index.Apply(ctx, ops[i:i+1])[0]
		}
	}
	return out
}

// What the index refuses holds up nothing; it is tried so often, then an operator sees it
// and has it tried again (T.20, T.53).
func TestT20AnOperatorSeesWhatTheIndexRefusesAndDrivesItAgain(t *testing.T) {
	s := openFaulty(t)
	poison := s.stored(t, "The tide table hangs in the office.", "")
	s.settle(t)
	x := &choosy{s.Indexer.Index, poison}
	s.Indexer.Index = x
	q := "?workspaceId=" + s.ws
	s.agent().do(t, "PUT", "/v1/memory/"+poison, `{"workspaceId":"`+s.ws+`","content":"The tide table hangs in the hall."}`, 200)
	other := s.stored(t, "The harbour wall is granite.", "")
	s.settle(t)
	found := func(query, id string) bool {
		t.Helper()
		out := s.agent().post(t, "/v1/memory/retrieve", s.query(t, query, "hybrid"), 200)
		return slices.ContainsFunc(out["workspaceEntries"].([]any), func(one any) bool { return one.(map[string]any)["id"] == id })
	}
	if !found("harbour wall", other) {
		t.Error("what came after it is not found")
	}
	jobs := func() []any {
		t.Helper()
		return s.as(s.admin).do(t, "GET", "/v1/admin/jobs"+q, "", 200)["jobs"].([]any)
	}
	swept := func() {
		t.Helper()
		if err := s.OnSchedule(routes.WorkerSweep)(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.settle(t)
	}
	for range outbox.Tries {
		swept()
		s.clock.Advance(15 * time.Minute)
	}
	job := jobs()[0].(map[string]any)
	if job["state"] != "dead" || job["kind"] != "index" || job["lastError"] != "INDEX_REFUSED" {
		t.Fatalf("job %v", job)
	}
	x.item = ""
	s.as(s.admin).do(t, "POST", "/v1/admin/jobs/"+job["jobId"].(string)+"/retry", "", 202)
	swept()
	if len(jobs()) != 0 || !found("tide table hall", poison) {
		t.Errorf("jobs %v", jobs())
	}
}
