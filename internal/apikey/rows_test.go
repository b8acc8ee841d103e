package apikey

import (
	"reflect"
	"testing"
	"time"

	"holdfast/internal/capability"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func samples() map[string]Principal {
	later := noon.Add(48 * time.Hour)
	return map[string]Principal{
		"agent": {
			KeyID: someID, TenantID: "0190c4a2-0000-7000-8000-000000000001", Kind: Agent, Name: "über # bot",
			Capabilities: capability.AgentDefault(), Workspaces: []string{"0190c4a2-0000-7000-8000-000000000002"},
			SourceID: "billing bot", Vendor: "acme", Purposes: []string{"support", `a "quoted" one`},
			ExpiresAt: &later, CreatedAt: noon,
		},
		"person": {
			KeyID: someID, TenantID: "0190c4a2-0000-7000-8000-000000000001", Kind: Person, Role: "admin",
			Capabilities: capability.All(), Purposes: []string{}, CreatedAt: noon,
		},
		"bare": {
			KeyID: someID, TenantID: "0190c4a2-0000-7000-8000-000000000001", Kind: Agent,
			Capabilities: []capability.Name{}, Workspaces: []string{}, Purposes: []string{}, CreatedAt: noon,
		},
	}
}

func TestT3RowsKeepEveryFieldOfAKey(t *testing.T) {
	for name, want := range samples() {
		a, err := attrs(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(someID, store.Item{Attrs: a})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, want)
		}
	}
}

// The rows of schema 1 as they lie in tables. A change of this literal is a
// change of what is stored: it needs a new schema.
func TestRowsOfSchema1(t *testing.T) {
	row := store.Attrs{
		"v": store.N(1), "tenant": store.S("0190c4a2-0000-7000-8000-000000000001"), "kind": store.S("agent"), "name": store.S("über # bot"),
		"role": store.S(""), "caps": store.S("memory:append memory:read memory:update memory:delete memory:consolidate memories:read memories:write memories:delete context facts:run"),
		"ws": store.S("0190c4a2-0000-7000-8000-000000000002"), "src": store.S("billing bot"), "vendor": store.S("acme"),
		"purposes": store.S(`["support","a \"quoted\" one"]`), "exp": store.N(1772539200000), "at": store.N(1772366400000),
	}
	want := samples()["agent"]
	if got, err := attrs(want); err != nil || !reflect.DeepEqual(got, row) {
		t.Errorf("written %v, %v", got, err)
	}
	if got, err := Read(someID, store.Item{Attrs: row}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestRowOfAnotherSchemaIsRefused(t *testing.T) {
	a, err := attrs(samples()["agent"])
	if err != nil {
		t.Fatal(err)
	}
	a[attrSchema] = store.N(schema + 1)
	if _, err := Read(someID, store.Item{Attrs: a}); err == nil {
		t.Error("read")
	}
}

func TestT2OnlyTheDigestIsStoredAndOnlyInTheLookUpRow(t *testing.T) {
	p := samples()["agent"]
	issued, err := New(Options{}).Issue(p)
	if err != nil {
		t.Fatal(err)
	}
	actions, err := issued.Put()
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range actions {
		_, digested := action.Item.Attrs[attrDigest]
		if digested != (action.Item.Key == keys.APIKey(someID)) {
			t.Errorf("%s: digest %v", action.Label, digested)
		}
		for name, value := range action.Item.Attrs {
			if value.S == issued.secret || string(value.B) == issued.secret || value.S == issued.Text {
				t.Errorf("%s: attribute %s is the secret", action.Label, name)
			}
		}
	}
}
