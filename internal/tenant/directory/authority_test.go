package directory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/apikey"
	"holdfast/internal/errs"
)

func TestT1KeysOfAnotherTenantAreAbsent(t *testing.T) {
	b := newBench(t)
	admin, thief := b.tenant(), b.tenant()
	made := b.newKey(admin, NewKey{Kind: apikey.Agent})
	for _, id := range []string{made.KeyID, "none", "", strings.ToUpper(made.KeyID), "a\x00b", b.IDs.New()} {
		if _, err := b.DeleteKey(context.Background(), thief, id, nil); !errs.Is(err, errs.NotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	b.who(made.Text)
	listed, _, err := b.ListKeys(context.Background(), thief, 10, "")
	if err != nil || len(listed) != 1 || listed[0].KeyID != thief.Principal.KeyID {
		t.Errorf("listed %+v, %v", listed, err)
	}
}

func TestT4LimitedAdministratorHandsOutNoMoreThanItHas(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	one, two := b.workspace(admin).ID, b.workspace(admin).ID
	limited := b.who(b.newKey(admin, NewKey{Kind: apikey.Person, Role: ptr("admin"), Workspaces: []string{one}}).Text)
	if _, err := b.CreateKey(context.Background(), limited, NewKey{Kind: apikey.Agent}); !slices.Equal(pointers(err), []string{"/workspaces"}) {
		t.Errorf("for all: %v", err)
	}
	_, outside := b.CreateKey(context.Background(), limited, NewKey{Kind: apikey.Agent, Workspaces: []string{two}})
	_, absent := b.CreateKey(context.Background(), limited, NewKey{Kind: apikey.Agent, Workspaces: []string{b.IDs.New()}})
	if pointers(outside) == nil || fmt.Sprintf("%+v", *errs.As(outside)) != fmt.Sprintf("%+v", *errs.As(absent)) {
		t.Errorf("outside: %v; absent: %v", outside, absent)
	}
	within := b.newKey(limited, NewKey{Kind: apikey.Agent, Workspaces: []string{one}})
	wider := b.newKey(admin, NewKey{Kind: apikey.Agent, Workspaces: []string{one, two}})
	listed, _, err := b.ListKeys(context.Background(), limited, 10, "")
	if err != nil || len(listed) != 2 || listed[0].KeyID != limited.Principal.KeyID || listed[1].KeyID != within.KeyID {
		t.Errorf("listed %+v, %v", listed, err)
	}
	for _, id := range []string{wider.KeyID, admin.Principal.KeyID} {
		if _, err := b.DeleteKey(context.Background(), limited, id, nil); !errs.Is(err, errs.NotFound) {
			t.Errorf("a wider key: %v", err)
		}
	}
	if _, err := b.DeleteKey(context.Background(), limited, within.KeyID, nil); err != nil {
		t.Error(err)
	}
}

func TestT33AdministrationNeedsTheRoleAdmin(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	ctx := context.Background()
	calls := map[string]func(Caller) error{
		"make a workspace": func(by Caller) error { _, err := b.CreateWorkspace(ctx, by, "x", SettingsChange{}); return err },
		"list workspaces":  func(by Caller) error { _, _, err := b.ListWorkspaces(ctx, by, 1, ""); return err },
		"get a workspace":  func(by Caller) error { _, err := b.GetWorkspace(ctx, by, "none"); return err },
		"set a workspace": func(by Caller) error {
			_, err := b.UpdateWorkspace(ctx, by, "none", WorkspaceChange{}, nil)
			return err
		},
		"make a key":   func(by Caller) error { _, err := b.CreateKey(ctx, by, NewKey{}); return err },
		"list keys":    func(by Caller) error { _, _, err := b.ListKeys(ctx, by, 1, ""); return err },
		"revoke a key": func(by Caller) error { _, err := b.DeleteKey(ctx, by, "none", nil); return err },
	}
	callers := map[string]struct {
		by   Caller
		role any // named where the capability is there and the role is not
	}{
		"an agent":                   {b.who(b.newKey(admin, NewKey{Kind: apikey.Agent}).Text), nil},
		"a person of integration":    {b.who(b.newKey(admin, NewKey{Kind: apikey.Person}).Text), nil},
		"an agent that can admin":    {b.who(b.newKey(admin, NewKey{Kind: apikey.Agent, Capabilities: []string{"admin"}}).Text), "admin"},
		"a person without the role":  {b.who(b.newKey(admin, NewKey{Kind: apikey.Person, Capabilities: []string{"admin"}}).Text), "admin"},
		"the root key has no tenant": {b.who(rootKey), nil},
	}
	for what, call := range calls {
		for who, caller := range callers {
			if e := errs.As(call(caller.by)); e == nil || e.Kind != errs.Forbidden || e.Code != "CAPABILITY_MISSING" ||
				e.Extra["capability"] != "admin" || e.Extra["role"] != caller.role {
				t.Errorf("%s: %s: %v", who, what, e)
			}
		}
	}
}
