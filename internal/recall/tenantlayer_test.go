package recall

import (
	"fmt"
	"slices"
	"testing"
)

func TestR066TenantMemoriesAreRecalledInEveryWorkspaceOfTheTenant(t *testing.T) {
	w := newWorld(t)
	shared := w.store(sibling, fact("Every ferry has a bell.", inLayer("Tenant")))
	own := w.store(sibling, fact("The sibling's ferry is blue."))
	bound := w.store(sibling, fact("Ida may steer the ferry.", inLayer("Tenant"), ofUser("ida")))
	w.store(foreign, fact("A ferry of another tenant.", inLayer("Tenant")))
	w.sync(sibling, foreign)
	for _, mode := range modes {
		w.ask("ferry", in(mode)).holds(t, shared)
		w.ask("ferry", in(mode), asUser("ida")).holds(t, shared, bound)
		w.ask("ferry", in(mode), within(sibling)).holds(t, shared, own)
		c := w.ask("ferry", in(mode))
		if got := c.Sections[TenantEntries]; len(got) != 1 || got[0].Memory.WorkspaceID != sibling.WorkspaceID() {
			t.Errorf("%s: %+v", mode, got)
		}
	}
	w.delete(sibling, shared) // the index of the sibling has not run
	for _, mode := range modes {
		w.ask("ferry", in(mode)).holds(t)
		w.ask("ferry", in(mode), within(sibling)).holds(t, own)
	}
}

func TestR066TheWritingWorkspaceSeesATenantMemoryAtOnce(t *testing.T) {
	w := newWorld(t)
	old := w.store(here, fact("The ferry fleet has nine ships.", inLayer("Tenant"), ofAttribute("fleet")))
	w.sync(here)
	fresh := w.store(here, fact("The ferry fleet has ten ships.", inLayer("Tenant"), ofAttribute("fleet")))
	for _, mode := range modes {
		c := w.ask("ferry fleet", in(mode))
		c.holds(t, fresh)
		if c.SupersededHidden != 1 {
			t.Errorf("%s: %d hidden", mode, c.SupersededHidden)
		}
		if got := w.ask("ferry fleet", in(mode), within(sibling)).ids(); slices.Contains(got, old) {
			t.Errorf("%s: a sibling sees the old value: %v", mode, got)
		}
	}
	w.sync(here)
	for _, mode := range modes {
		w.ask("ferry fleet", in(mode), within(sibling)).holds(t, fresh)
	}
}

// A tenant has more floors than one page of the table holds.
func TestR024ManyFloorsAreAllThere(t *testing.T) {
	w := newWorld(t)
	var want []string
	for i := range 120 {
		want = append(want, w.store(here, floor(fmt.Sprintf("Rule %d.", i))))
	}
	if got := w.ask("ferry").ids(TenantFloors); !slices.Equal(got, want) {
		t.Errorf("%d floors, want %d", len(got), len(want))
	}
}
