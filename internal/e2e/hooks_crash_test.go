package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/routes"
)

// told is a webhook's target that takes nothing until it is opened.
type told struct {
	mu     sync.Mutex
	open   bool
	bodies []string
	tried  int
}

func (r *told) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tried++
	if err != nil || !r.open {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.bodies = append(r.bodies, string(body))
}

func (r *told) count() (tried int, all string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tried, strings.Join(r.bodies, "\n")
}

// TestT40WebhooksAreToldOfEverythingAfterAKill kills the server while deliveries are
// made and fail: none that was acknowledged stays untold.
func TestT40WebhooksAreToldOfEverythingAfterAKill(t *testing.T) {
	target := &told{}
	receiver := httptest.NewServer(target)
	t.Cleanup(receiver.Close)
	data := options(folder(t), "HOLDFAST_TEST_CLOCK=1", "HOLDFAST_WEBHOOK_ALLOW=127.0.0.0/8")
	s := start(t, data)
	p := s.place(t)
	hook := map[string]any{"workspaceId": p.workspace, "url": receiver.URL, "events": []string{"memory.appended"}}
	if err := p.tenant.Admin.Do(t.Context(), http.MethodPost, routes.WebhooksCreate.Path, hook, nil); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for round := range 3 {
		for n := range 20 {
			ids = append(ids, p.remember(t, fmt.Sprintf("Buoy %d of row %d is lit.", n, round)))
		}
		if round == 0 {
			eventually(t, "a delivery was tried", func() bool { tried, _ := target.count(); return tried > 0 })
		}
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		s = start(t, data)
		p = p.at(s)
	}
	target.mu.Lock()
	target.open = true
	target.mu.Unlock()
	eventually(t, "all is told", func() bool {
		s.leasesEnd(t)
		_, all := target.count()
		for _, id := range ids {
			if !strings.Contains(all, id) {
				return false
			}
		}
		return true
	})
}
