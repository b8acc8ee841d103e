package routes

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

var kebab = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func TestRoutesAreUniqueAndWellFormed(t *testing.T) {
	ids, keys := map[string]bool{}, map[string]bool{}
	for _, r := range All() {
		key := r.Method + " " + r.Path
		if ids[r.ID] || keys[key] || !kebab.MatchString(r.ID) {
			t.Errorf("%s: id or path twice, or no kebab-case", r.ID)
		}
		ids[r.ID], keys[key] = true, true
		if r.Summary == "" || r.Success < 200 || r.Success > 299 || r.Timeout <= 0 || r.Timeout > 29*time.Second || r.MemoryMB < 128 {
			t.Errorf("%s: %+v", r.ID, r)
		}
	}
}

func TestT10BadInputIs400UnderMemoryAndAdminAnd422Elsewhere(t *testing.T) {
	for _, r := range All() {
		want := http.StatusUnprocessableEntity
		if strings.HasPrefix(r.Path, "/v1/memory") || strings.HasPrefix(r.Path, "/v1/admin") || r.Access == Open {
			want = http.StatusBadRequest
		}
		if r.BadInput != want {
			t.Errorf("%s: bad input is %d, want %d", r.ID, r.BadInput, want)
		}
	}
}

func TestEveryRouteSaysWhoMayCall(t *testing.T) {
	for _, r := range All() {
		if (r.Access == KeyAccess) != (r.Capability != "") {
			t.Errorf("%s: access %d with capability %q", r.ID, r.Access, r.Capability)
		}
	}
}

func TestT15EveryMutationTakesAnIdempotencyKeyAndMayCommit(t *testing.T) {
	for _, r := range All() {
		if r.Family == Fact { // no matter of T.15; its writes carry keys of their own
			if r.Idempotency != NoIdempotency || r.Mutates && !r.Needs.Has(Write) {
				t.Errorf("%s: idempotency %d, needs %b", r.ID, r.Idempotency, r.Needs)
			}
			continue
		}
		reads := r.Method == http.MethodGet || r.ID == MemoryRetrieve.ID || r.ID == MemoryEvaluate.ID || r.LocalOnly
		if r.Mutates == reads || r.Mutates && (r.Idempotency != Optional || !r.Needs.Has(Write)) {
			t.Errorf("%s: mutates %v, idempotency %d, needs %b", r.ID, r.Mutates, r.Idempotency, r.Needs)
		}
		takesBody := r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch
		if takesBody != (r.BodyLimit > 0) && r.ID != AdminJobsRetry.ID {
			t.Errorf("%s: %s with a body limit of %d", r.ID, r.Method, r.BodyLimit)
		}
	}
}

func TestWorkersOutlastTheirWork(t *testing.T) {
	ids := map[string]bool{}
	for _, w := range Workers() {
		if ids[w.ID] || !strings.HasPrefix(w.ID, "worker-") {
			t.Errorf("%s: twice, or no worker's name", w.ID)
		}
		ids[w.ID] = true
		switch w.Trigger {
		case OnQueue:
			if w.Queue == "" || w.Batch < 1 || w.Batch > 10 || w.Visibility <= w.Timeout || w.Tries != 8 {
				t.Errorf("%+v", w)
			}
		case OnSchedule:
			if w.Every < time.Minute {
				t.Errorf("%s: schedules know whole minutes", w.ID)
			}
		case OnStream:
			if w.Queue != "" {
				t.Errorf("%s reads a stream, not a queue", w.ID)
			}
		}
	}
}
