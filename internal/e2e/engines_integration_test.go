//go:build integration

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/routes"
)

// engines are the settings of the real engines, one NAME=value a line, from the
// file that ENGINES_ENV names (scripts/emulate writes it).
func engines(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile(os.Getenv("ENGINES_ENV"))
	if err != nil {
		t.Fatalf("ENGINES_ENV must name the settings of the engines: %v", err)
	}
	return strings.Fields(string(raw))
}

// TestTheLifeOfAWorkspaceOnRealEngines is the walk over every route, on DynamoDB,
// SQS and OpenSearch over their own protocols.
func TestTheLifeOfAWorkspaceOnRealEngines(t *testing.T) {
	s := start(t, options(folder(t), engines(t)...))
	w := &walk{T: t, s: s, seen: map[string]bool{}}
	w.all()
	for _, r := range routes.All() {
		if !w.seen[r.ID] && !r.LocalOnly {
			t.Errorf("no scenario calls %s", r.ID)
		}
	}
}

// TestWritersOfTwoProcessesMeetOnRealEngines appends from two servers over one
// table at once: one gap-free chain, nothing lost.
func TestWritersOfTwoProcessesMeetOnRealEngines(t *testing.T) {
	env := engines(t)
	one, two := start(t, options(folder(t), env...)), start(t, options(folder(t), env...))
	p := one.place(t)
	const each = 20
	var all sync.WaitGroup
	for n, s := range []*server{one, two} {
		at := p.at(s)
		all.Go(func() {
			for i := range each {
				if _, err := at.agent.Call(t.Context(), http.MethodPost, "/v1/memory/append",
					at.memory(fmt.Sprintf("Crate %d of quay %d is sealed.", i, n))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := p.at(one).chain(t); got != 2*each {
		t.Errorf("%d rows in the chain, want %d", got, 2*each)
	}
}
