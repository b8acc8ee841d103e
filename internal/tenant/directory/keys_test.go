package directory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
)

func TestT35AgentKeyAndWhatItMayDoWhenNothingIsSaid(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	ws := b.workspace(admin).ID
	made := b.newKey(admin, NewKey{Kind: apikey.Agent, Name: ptr("first"), Workspaces: []string{ws}, Vendor: ptr("acme"), Purposes: []string{"support"}})
	if !slices.Equal(made.Capabilities, capability.AgentDefault()) || made.Name != "first" || made.Role != "" || made.Vendor != "acme" ||
		!slices.Equal(made.Workspaces, []string{ws}) || !slices.Equal(made.Purposes, []string{"support"}) || !ids.Valid(made.SourceID) ||
		made.ExpiresAt != nil || !made.CreatedAt.Equal(noon) {
		t.Errorf("made %+v", made.Principal)
	}
	known := b.who(made.Text).Principal
	if fmt.Sprintf("%+v", known) != fmt.Sprintf("%+v", made.Principal) {
		t.Errorf("authenticated %+v", known)
	}
	named := b.newKey(admin, NewKey{Kind: apikey.Agent, SourceID: ptr("billing-bot"), Capabilities: []string{"memory:read", "memory:append", "memory:read"}})
	if named.SourceID != "billing-bot" || named.Workspaces != nil || named.Purposes == nil ||
		!slices.Equal(named.Capabilities, []capability.Name{capability.MemoryAppend, capability.MemoryRead}) {
		t.Errorf("named %+v", named.Principal)
	}
	if rows := b.rows(admin); len(rows) != 5 || rows[4].ItemID != named.KeyID || rows[4].Op != ledger.Create {
		t.Errorf("log %+v", rows)
	}
}

func TestT35PersonsHaveARoleOrCapabilities(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	integration, _ := capability.Of("integration")
	tests := []struct {
		asked NewKey
		role  string
		can   []capability.Name
	}{
		{NewKey{}, "integration", integration},
		{NewKey{Role: ptr("integration")}, "integration", integration},
		{NewKey{Role: ptr("admin")}, "admin", capability.All()},
		{NewKey{Capabilities: []string{"export"}}, "", []capability.Name{capability.Export}},
	}
	for _, test := range tests {
		test.asked.Kind = apikey.Person
		made := b.newKey(admin, test.asked)
		if made.Role != test.role || !slices.Equal(made.Capabilities, test.can) || made.SourceID != "" {
			t.Errorf("%+v: made %+v", test.asked, made.Principal)
		}
	}
}

func TestT33KeysThatMakeNoSenseAreRefused(t *testing.T) {
	b := newBench(t)
	admin, other := b.tenant(), b.tenant()
	ws, foreign := b.workspace(admin).ID, b.workspace(other).ID
	many := make([]string, MaxKeySpace+1)
	for i := range many {
		many[i] = b.IDs.New()
	}
	tests := map[string]struct {
		asked NewKey
		want  []string
	}{
		"no kind":                {NewKey{}, []string{"/kind"}},
		"unknown kind":           {NewKey{Kind: "robot"}, []string{"/kind"}},
		"the root's kind":        {NewKey{Kind: apikey.Root}, []string{"/kind"}},
		"agent with role":        {NewKey{Kind: apikey.Agent, Role: ptr("integration")}, []string{"/role"}},
		"unknown role":           {NewKey{Kind: apikey.Person, Role: ptr("king")}, []string{"/role"}},
		"role and capabilities":  {NewKey{Kind: apikey.Person, Role: ptr("admin"), Capabilities: []string{"export"}}, []string{"/capabilities"}},
		"unknown capability":     {NewKey{Kind: apikey.Agent, Capabilities: []string{"memory:read", "memory:fly"}}, []string{"/capabilities/1"}},
		"capability root":        {NewKey{Kind: apikey.Agent, Capabilities: []string{"root"}}, []string{"/capabilities/0"}},
		"no capability":          {NewKey{Kind: apikey.Agent, Capabilities: []string{}}, []string{"/capabilities"}},
		"no workspace":           {NewKey{Kind: apikey.Agent, Workspaces: []string{}}, []string{"/workspaces"}},
		"workspace twice":        {NewKey{Kind: apikey.Agent, Workspaces: []string{ws, ws}}, []string{"/workspaces/1"}},
		"foreign workspace":      {NewKey{Kind: apikey.Agent, Workspaces: []string{ws, foreign}}, []string{"/workspaces/1"}},
		"absent workspaces":      {NewKey{Kind: apikey.Agent, Workspaces: []string{b.IDs.New(), "none", ws}}, []string{"/workspaces/0", "/workspaces/1"}},
		"too many workspaces":    {NewKey{Kind: apikey.Agent, Workspaces: many}, []string{"/workspaces"}},
		"over by now":            {NewKey{Kind: apikey.Agent, ExpiresAt: ptr(noon)}, []string{"/expiresAt"}},
		"empty source":           {NewKey{Kind: apikey.Agent, SourceID: ptr("")}, []string{"/sourceId"}},
		"vendor with control":    {NewKey{Kind: apikey.Agent, Vendor: ptr("a\nb")}, []string{"/vendor"}},
		"too many purposes":      {NewKey{Kind: apikey.Agent, Purposes: strings.Split(strings.Repeat("p", MaxPurposes+1), "")}, []string{"/purposes"}},
		"empty purpose":          {NewKey{Kind: apikey.Agent, Purposes: []string{"a", ""}}, []string{"/purposes/1"}},
		"person with a source":   {NewKey{Kind: apikey.Person, SourceID: ptr("s")}, []string{"/sourceId"}},
		"person with a vendor":   {NewKey{Kind: apikey.Person, Vendor: ptr("v")}, []string{"/vendor"}},
		"person with a purpose":  {NewKey{Kind: apikey.Person, Purposes: []string{}}, []string{"/purposes"}},
		"several things at once": {NewKey{Kind: "robot", Name: ptr(""), Workspaces: []string{}}, []string{"/kind", "/name", "/workspaces"}},
	}
	for name, test := range tests {
		_, err := b.CreateKey(context.Background(), admin, test.asked)
		got := pointers(err)
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if rows := b.rows(admin); len(rows) != 3 {
		t.Errorf("%d rows: something was made", len(rows))
	}
}

func TestT33ExpiryIsAnInstantInTheFuture(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	at := noon.Add(time.Hour + 1500*time.Microsecond).In(time.FixedZone("", 3600))
	made := b.newKey(admin, NewKey{Kind: apikey.Agent, ExpiresAt: &at})
	if want := noon.Add(time.Hour + time.Millisecond); !made.ExpiresAt.Equal(want) || made.ExpiresAt.Location() != time.UTC {
		t.Errorf("expires at %v", made.ExpiresAt)
	}
	b.clock.Advance(time.Hour)
	b.who(made.Text)
	b.clock.Advance(time.Millisecond)
	if _, err := b.Keys.Authenticate(context.Background(), made.Text); !errs.Is(err, errs.Unauthenticated) {
		t.Errorf("after its time: %v", err)
	}
}

func TestT15KeyMadeTwiceWithOneIdempotencyKeyIsOneKey(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	soon := noon.Add(time.Minute)
	asked := NewKey{Kind: apikey.Agent, ExpiresAt: &soon}
	by := admin.with(key("k", "agent"))
	first := b.newKey(by, asked)
	b.clock.Advance(time.Hour) // the expiry now lies in the past, and still the first answer comes again
	again := b.newKey(by, asked)
	if first.Text == "" || first.Replayed || again.Text != "" || !again.Replayed || fmt.Sprintf("%+v", again.Principal) != fmt.Sprintf("%+v", first.Principal) {
		t.Errorf("first %+v, again %+v", first, again)
	}
	if _, err := b.DeleteKey(context.Background(), admin, first.KeyID, nil); err != nil {
		t.Fatal(err)
	}
	revoked := b.newKey(by, asked)
	if !revoked.Replayed || fmt.Sprintf("%+v", revoked.Principal) != fmt.Sprintf("%+v", first.Principal) {
		t.Errorf("after it was revoked: %+v", revoked)
	}
}

func TestT47CallThatFailedKeepsNoIdempotencyKey(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	by := admin.with(key("k", "bad"))
	if _, err := b.CreateKey(context.Background(), by, NewKey{Kind: apikey.Agent, Workspaces: []string{b.IDs.New()}}); pointers(err) == nil {
		t.Fatal(err)
	}
	if made := b.newKey(admin.with(key("k", "good")), NewKey{Kind: apikey.Agent}); made.Replayed || made.Text == "" {
		t.Errorf("made %+v", made)
	}
}

func TestT5RevokedKeyIsRefusedAtOnceAndGoneFromTheList(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	made := b.newKey(admin, NewKey{Kind: apikey.Agent})
	b.who(made.Text)
	by := admin.with(key("del", ""))
	first, err := b.DeleteKey(context.Background(), by, made.KeyID, nil)
	if err != nil || first.Replayed {
		t.Fatal(err)
	}
	if _, err := b.Keys.Authenticate(context.Background(), made.Text); !errs.Is(err, errs.Unauthenticated) {
		t.Errorf("revoked: %v", err)
	}
	again, err := b.DeleteKey(context.Background(), by, made.KeyID, nil)
	if err != nil || !again.Replayed {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := b.DeleteKey(context.Background(), admin, made.KeyID, nil); !errs.Is(err, errs.NotFound) {
		t.Errorf("twice: %v", err)
	}
	listed, _, err := b.ListKeys(context.Background(), admin, 10, "")
	if err != nil || len(listed) != 1 || listed[0].KeyID == made.KeyID {
		t.Errorf("listed %+v, %v", listed, err)
	}
	rows := b.rows(admin)
	if last := rows[len(rows)-1]; last.Op != ledger.Delete || last.ItemID != made.KeyID {
		t.Errorf("log %+v", rows)
	}
}

func TestT16RevocationHonoursIfMatch(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	made := b.newKey(admin, NewKey{Kind: apikey.Agent})
	stale := func(v int64) bool { return v == 9 }
	if _, err := b.DeleteKey(context.Background(), admin, made.KeyID, stale); !errs.Is(err, errs.Precondition) {
		t.Errorf("stale: %v", err)
	}
	if _, err := b.DeleteKey(context.Background(), admin, made.KeyID, func(v int64) bool { return v == 1 }); err != nil {
		t.Error(err)
	}
}
