package directory

import (
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

func TestT5KnownWorkspacesAreReadAgainAfterThirtySeconds(t *testing.T) {
	s, c := memstore.New(), clock.NewFixed(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))
	const tenantID, id = "01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"
	write := func(name string) {
		t.Helper()
		own := tenant.Grant(tenantID, tenant.PlatformWorkspace)
		plan, err := planWorkspace(Caller{Scope: own}, tenant.Workspace{ID: id, Name: name}, "update", nil, c.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(t.Context(), store.Tx{Actions: plan.Actions}); err != nil {
			t.Fatal(err)
		}
	}
	d := New(Options{Store: s})
	k := NewKnown(d, c)
	name := func(want string) {
		t.Helper()
		if w, err := k.Workspace(t.Context(), tenantID, id); err != nil || w.Name != want {
			t.Fatalf("name %q, %v; want %q", w.Name, err, want)
		}
	}
	if _, err := k.Workspace(t.Context(), tenantID, id); err == nil {
		t.Fatal("there is none yet")
	}
	write("north")
	name("north")
	write("south") // by another process
	name("north")
	c.Advance(KnownFor)
	name("south")
	write("west")
	d.changed(tenantID, id) // by this one
	name("west")
}
