package directory

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/apikey"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/tenant"
)

func TestT32WorkspaceHasTheDefaultsAndWhatIsSaidOtherwise(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	plain := b.workspace(admin)
	if plain.Settings != tenant.DefaultSettings() || plain.Version != 1 || !plain.CreatedAt.Equal(noon) || !ids.Valid(plain.ID) {
		t.Errorf("plain %+v", plain)
	}
	change := SettingsChange{IdleSeconds: ptr(60), Budgets: &BudgetChange{StoredBytes: Amount{Set: true, Value: ptr(int64(40000))}}}
	made, err := b.CreateWorkspace(context.Background(), admin, "south", change)
	if err != nil || made.Settings.IdleSeconds != 60 || made.Settings.MergeThreshold != 0.90 || *made.Settings.Budgets.StoredBytes != 40000 ||
		made.Settings.Budgets.ModelTokensPerMonth != nil {
		t.Errorf("made %+v, %v", made.Workspace, err)
	}
	read, err := b.GetWorkspace(context.Background(), admin, made.ID)
	if err != nil || !reflect.DeepEqual(read, made.Workspace) {
		t.Errorf("read %+v, %v", read, err)
	}
	if rows := b.rows(admin); len(rows) != 4 || rows[3].ItemID != made.ID || rows[3].Version != 1 {
		t.Errorf("log %+v", rows)
	}
}

func TestT32BothBoundsOfEachSetting(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	id := b.workspace(admin).ID
	weight := func(x float64) Nullable[float64] { return Nullable[float64]{Set: true, Value: &x} }
	amount := func(n int64) *BudgetChange { return &BudgetChange{ModelTokensPerMonth: Amount{Set: true, Value: &n}} }
	tests := []struct {
		change SettingsChange
		bad    string // empty: it is good
	}{
		{SettingsChange{IdleSeconds: ptr(60)}, ""}, {SettingsChange{IdleSeconds: ptr(86400)}, ""},
		{SettingsChange{IdleSeconds: ptr(59)}, "/idleSeconds"}, {SettingsChange{IdleSeconds: ptr(86401)}, "/idleSeconds"},
		{SettingsChange{MergeThreshold: ptr(0.80)}, ""}, {SettingsChange{MergeThreshold: ptr(0.99)}, ""},
		{SettingsChange{MergeThreshold: ptr(0.79999)}, "/mergeThreshold"}, {SettingsChange{MergeThreshold: ptr(0.99001)}, "/mergeThreshold"},
		{SettingsChange{MergeThreshold: ptr(math.NaN())}, "/mergeThreshold"},
		{SettingsChange{LexicalWeight: weight(0)}, ""}, {SettingsChange{LexicalWeight: weight(1)}, ""},
		{SettingsChange{LexicalWeight: weight(-.01)}, "/lexicalWeight"}, {SettingsChange{LexicalWeight: weight(1.01)}, "/lexicalWeight"},
		{SettingsChange{LexicalWeight: weight(math.NaN())}, "/lexicalWeight"},
		{SettingsChange{DeferEmbedding: ptr(true)}, ""},
		{SettingsChange{Budgets: amount(0)}, ""}, {SettingsChange{Budgets: amount(math.MaxInt64)}, ""},
		{SettingsChange{Budgets: amount(-1)}, "/budgets/modelTokensPerMonth"},
	}
	for _, test := range tests {
		before, err := b.Workspace(context.Background(), admin.Scope.TenantID(), id)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := b.UpdateWorkspace(context.Background(), admin, id, WorkspaceChange{Settings: test.change}, nil)
		_, makeErr := b.CreateWorkspace(context.Background(), admin, "x", test.change)
		if test.bad == "" {
			if err != nil || makeErr != nil || !reflect.DeepEqual(changed.Settings, test.change.apply(before.Settings)) {
				t.Errorf("%+v: %+v, %v, %v", test.change, changed.Settings, err, makeErr)
			}
			continue
		}
		if !slices.Equal(pointers(err), []string{test.bad}) || !slices.Equal(pointers(makeErr), []string{"/settings" + test.bad}) {
			t.Errorf("%+v: %v, %v", test.change, err, makeErr)
		}
		if after, err := b.Workspace(context.Background(), admin.Scope.TenantID(), id); err != nil || !reflect.DeepEqual(after, before) {
			t.Errorf("%+v: %+v, %v", test.change, after, err)
		}
	}
}

func TestT32ChangeLeavesWhatItDoesNotName(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	w := b.workspace(admin)
	steps := []WorkspaceChange{
		{Name: ptr("west")},
		{Settings: SettingsChange{Budgets: &BudgetChange{ModelTokensPerMonth: Amount{Set: true, Value: ptr(int64(5))}}}},
		{Settings: SettingsChange{Budgets: &BudgetChange{StoredBytes: Amount{Set: true, Value: ptr(int64(6))}}}},
		{Settings: SettingsChange{MergeThreshold: ptr(0.85)}},
		{Settings: SettingsChange{Budgets: &BudgetChange{ModelTokensPerMonth: Amount{Set: true}}}},
	}
	for i, step := range steps {
		changed, err := b.UpdateWorkspace(context.Background(), admin, w.ID, step, nil)
		if err != nil || changed.Version != int64(i+2) || !changed.CreatedAt.Equal(w.CreatedAt) {
			t.Fatalf("step %d: %+v, %v", i, changed, err)
		}
	}
	last, err := b.GetWorkspace(context.Background(), admin, w.ID)
	want := tenant.Settings{IdleSeconds: 1800, MergeThreshold: 0.85, Budgets: tenant.Budgets{StoredBytes: ptr(int64(6))}}
	if err != nil || last.Name != "west" || !reflect.DeepEqual(last.Settings, want) {
		t.Errorf("last %+v, %v", last, err)
	}
}

func TestT15ChangeSentAgainAnswersAsItWasLeftThen(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	made, err := b.CreateWorkspace(context.Background(), admin.with(key("make", "north")), "north", SettingsChange{})
	if err != nil {
		t.Fatal(err)
	}
	change := WorkspaceChange{Name: ptr("south")}
	isFirst := func(v int64) bool { return v == 1 }
	first, err := b.UpdateWorkspace(context.Background(), admin.with(key("set", "south")), made.ID, change, isFirst)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.UpdateWorkspace(context.Background(), admin, made.ID, WorkspaceChange{Name: ptr("later")}, nil); err != nil {
		t.Fatal(err)
	}
	again, err := b.UpdateWorkspace(context.Background(), admin.with(key("set", "south")), made.ID, change, isFirst)
	if err != nil || !again.Replayed || again.Workspace != first.Workspace {
		t.Errorf("again %+v, %v", again, err)
	}
	remade, err := b.CreateWorkspace(context.Background(), admin.with(key("make", "north")), "north", SettingsChange{})
	if err != nil || !remade.Replayed || remade.Workspace != made.Workspace {
		t.Errorf("made again %+v, %v", remade, err)
	}
	if rows := b.rows(admin); len(rows) != 5 || rows[3].Op != ledger.Update || rows[3].Version != 2 {
		t.Errorf("log %+v", rows)
	}
}

func TestT4ForeignAndAbsentWorkspacesAreTheSame404(t *testing.T) {
	b := newBench(t)
	admin, other := b.tenant(), b.tenant()
	mine, outside := b.workspace(admin), b.workspace(admin)
	limited := b.who(b.newKey(admin, NewKey{Kind: apikey.Person, Role: ptr("admin"), Workspaces: []string{mine.ID}}).Text)
	foreign := b.workspace(other)
	if _, err := b.GetWorkspace(context.Background(), limited, mine.ID); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%+v", *errs.Missing())
	for _, id := range []string{
		foreign.ID, outside.ID, b.IDs.New(), "none", "", tenant.PlatformWorkspace, strings.ToUpper(mine.ID),
		mine.ID + "#x", "a\x00b", "\xff", strings.Repeat("w", 5000),
	} {
		_, get := b.GetWorkspace(context.Background(), limited, id)
		_, set := b.UpdateWorkspace(context.Background(), limited, id, WorkspaceChange{Name: ptr("stolen")}, nil)
		for _, err := range []error{get, set} {
			if e := errs.As(err); e == nil || fmt.Sprintf("%+v", *e) != want {
				t.Errorf("%.40q: %v", id, err)
			}
		}
	}
	if _, err := b.Workspace(context.Background(), admin.Scope.TenantID(), foreign.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("another tenant's: %v", err)
	}
}

func TestEachWorkspaceHasASecretOfItsOwn(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	one, two := b.secret(admin, b.workspace(admin).ID), b.secret(admin, b.workspace(admin).ID)
	if len(one) != secretBytes || len(two) != secretBytes || slices.Equal(one, two) {
		t.Errorf("%d and %d bytes, equal: %v", len(one), len(two), slices.Equal(one, two))
	}
	b.Random = strings.NewReader("too short")
	if _, err := b.CreateWorkspace(context.Background(), admin, "x", SettingsChange{}); err == nil {
		t.Error("a workspace was made with too little randomness")
	}
}
