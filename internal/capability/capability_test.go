package capability

import (
	"slices"
	"testing"
)

func TestT35RolesAndDefaults(t *testing.T) {
	admin, ok := Of("admin")
	if !ok || !slices.Equal(admin, All()) {
		t.Errorf("admin has %v", admin)
	}
	integration, ok := Of("integration")
	if !ok {
		t.Fatal("no role integration")
	}
	for _, name := range []Name{MemoryTenant, Export, Erase, Admin, AgentApprove} {
		if slices.Contains(integration, name) {
			t.Errorf("integration has %s", name)
		}
	}
	if len(integration) != len(All())-5 {
		t.Errorf("integration has %d of %d", len(integration), len(All()))
	}
	for _, role := range []string{"", "Admin", "king"} {
		if _, ok := Of(role); ok {
			t.Errorf("%q is a role", role)
		}
	}
	for _, name := range AgentDefault() {
		if !Known(string(name)) {
			t.Errorf("%s is not known", name)
		}
	}
	if Known(string(Root)) || Known("memory:fly") {
		t.Error("a name that no key can have is known")
	}
}

func TestListsAreTheCallersOwn(t *testing.T) {
	All()[0] = "changed"
	AgentDefault()[0] = "changed"
	if All()[0] == "changed" || AgentDefault()[0] == "changed" {
		t.Error("a caller changed the table")
	}
}
