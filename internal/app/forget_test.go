package app_test

import (
	"context"
	"testing"
	"time"

	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
	"holdfast/internal/store/faultstore"
)

// An erasure whose tries were used up is dead for its caller, and goes on once an
// operator has its job tried again (T.20, R0.45, T.53).
func TestR045AnOperatorDrivesADeadErasureAgain(t *testing.T) {
	f := openFaulty(t)
	id := f.stored(t, "The tide table hangs in the office.", "")
	path := "/v1/memory/" + id
	q := "?workspaceId=" + f.ws
	f.settle(t)
	f.agent().do(t, "DELETE", path+q, "", 204)
	jobs := f.as(f.admin).do(t, "GET", "/v1/admin/jobs"+q, "", 200)["jobs"].([]any)
	job := jobs[0].(map[string]any)["jobId"].(string)
	f.Relay.Flush(t.Context())
	sent, err := f.Queue.Receive(t.Context(), queue.Name(routes.WorkerErase.Queue), 10, 0)
	if err != nil || len(sent) != 1 {
		t.Fatal(sent, err)
	}
	for range outbox.Tries {
		f.faults.Arm(faultstore.Fault{At: 1, Times: 1000, Ops: []faultstore.Op{faultstore.Query}})
		_ = f.OnMessage(routes.WorkerErase)(context.WithoutCancel(t.Context()), sent[0].Body) // what it leaves counts
		f.faults.Disarm()
		f.clock.Advance(15 * time.Minute)
	}
	stands := func(want string) map[string]any {
		t.Helper()
		out := f.agent().do(t, "GET", path+"/erasure"+q, "", 200)
		if out["status"] != want {
			t.Errorf("%v, want %s", out, want)
		}
		return out
	}
	if out := stands("dead"); out["attempts"] != float64(outbox.Tries) {
		t.Errorf("%v", out)
	}
	f.as(f.admin).do(t, "POST", "/v1/admin/jobs/"+job+"/retry", "", 202)
	if err := f.OnMessage(routes.WorkerErase)(t.Context(), sent[0].Body); err != nil {
		t.Fatal(err)
	}
	if out := stands("complete"); out["erasedAt"] == nil {
		t.Errorf("%v", out)
	}
	f.agent().do(t, "DELETE", path+q, "", 404)
	if jobs := f.as(f.admin).do(t, "GET", "/v1/admin/jobs"+q, "", 200)["jobs"].([]any); len(jobs) != 0 {
		t.Errorf("jobs %v", jobs)
	}
}
