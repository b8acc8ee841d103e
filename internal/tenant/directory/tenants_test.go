package directory

import (
	"context"
	"strings"
	"testing"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
)

func TestT31RootMakesATenantWithAnAdminKeyForAllWorkspaces(t *testing.T) {
	b := newBench(t)
	made, err := b.CreateTenant(context.Background(), b.who(rootKey), "Harbour Lights")
	if err != nil || !ids.Valid(made.Tenant.ID) || made.Tenant.Name != "Harbour Lights" || !made.Tenant.CreatedAt.Equal(noon) {
		t.Fatalf("made %+v, %v", made.Tenant, err)
	}
	admin := b.who(made.AdminKey)
	p := admin.Principal
	if p.TenantID != made.Tenant.ID || p.Kind != apikey.Person || p.Role != "admin" || p.Workspaces != nil || p.ExpiresAt != nil ||
		len(p.Capabilities) != len(capability.All()) {
		t.Errorf("key %+v", p)
	}
	listed, next, err := b.ListKeys(context.Background(), admin, 10, "")
	if err != nil || next != "" || len(listed) != 1 || listed[0].KeyID != p.KeyID {
		t.Errorf("listed %+v, %q, %v", listed, next, err)
	}
	entries := b.rows(admin)
	if len(entries) != 2 || entries[0].ItemID != made.Tenant.ID || entries[1].ItemID != p.KeyID || entries[1].Op != ledger.Create {
		t.Errorf("log %+v", entries)
	}
	if read, err := b.Tenant(context.Background(), made.Tenant.ID); err != nil || read != made.Tenant {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestT6OnlyTheRootKeyMakesTenants(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	_, err := b.CreateTenant(context.Background(), admin, "Intruder")
	if !errs.Is(err, errs.Forbidden) || errs.As(err).Extra["capability"] != "root" {
		t.Errorf("an admin: %v", err)
	}
	if _, err := b.CreateTenant(context.Background(), Caller{}, "Intruder"); !errs.Is(err, errs.Forbidden) {
		t.Errorf("nobody: %v", err)
	}
}

func TestT46NamesAreHeldToTheirRule(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	for name, text := range map[string]string{
		"empty": "", "blank": " \t", "too long": strings.Repeat("ü", MaxName+1), "control": "a\x1bb", "no UTF-8": "a\xff",
	} {
		_, tenantErr := b.CreateTenant(context.Background(), b.who(rootKey), text)
		_, workspaceErr := b.CreateWorkspace(context.Background(), admin, text, SettingsChange{})
		_, keyErr := b.CreateKey(context.Background(), admin, NewKey{Kind: apikey.Agent, Name: &text})
		for _, err := range []error{tenantErr, workspaceErr, keyErr} {
			if got := pointers(err); len(got) != 1 || got[0] != "/name" || strings.Contains(errs.As(err).Fields[0].Rule, text) && text != "" && text != " \t" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, text := range []string{"x", strings.Repeat("ü", MaxName), "with # and / and 'quotes'"} {
		if made, err := b.CreateTenant(context.Background(), b.who(rootKey), text); err != nil || made.Tenant.Name != text {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

func TestT15TenantMadeTwiceWithOneKeyIsOneTenantAndTheSecretIsShownOnce(t *testing.T) {
	b := newBench(t)
	root := b.who(rootKey).with(key("k1", "Harbour Lights"))
	first, err := b.CreateTenant(context.Background(), root, "Harbour Lights")
	if err != nil || first.Replayed || first.AdminKey == "" {
		t.Fatalf("first %+v, %v", first, err)
	}
	again, err := b.CreateTenant(context.Background(), root, "Harbour Lights")
	if err != nil || !again.Replayed || again.AdminKey != "" || again.Tenant != first.Tenant || again.Sequence != first.Sequence {
		t.Errorf("again %+v, %v", again, err)
	}
	if rows := b.rows(b.who(first.AdminKey)); len(rows) != 2 {
		t.Errorf("log %+v", rows)
	}
	_, err = b.CreateTenant(context.Background(), b.who(rootKey).with(key("k1", "Other")), "Other")
	if !errs.Is(err, errs.KeyReused) {
		t.Errorf("another body: %v", err)
	}
	other, err := b.CreateTenant(context.Background(), b.who(rootKey).with(key("k2", "Harbour Lights")), "Harbour Lights")
	if err != nil || other.Tenant.ID == first.Tenant.ID {
		t.Errorf("another key: %+v, %v", other, err)
	}
}
