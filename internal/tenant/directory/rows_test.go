package directory

import (
	"reflect"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// The rows of schema 1 as they lie in tables. A change of these literals is a
// change of what is stored: it needs a new schema.
func TestRowsOfSchema1(t *testing.T) {
	const id = "0190c4a2-7e15-7b3c-9d21-5f60718293a4"
	made := tenant.Tenant{ID: id, Name: "Harbour Lights", CreatedAt: noon}
	tenantRow := store.Attrs{"v": store.N(1), "name": store.S("Harbour Lights"), "at": store.N(1772366400000)}
	if got := tenantItem(made).Attrs; !reflect.DeepEqual(got, tenantRow) {
		t.Errorf("tenant: %v", got)
	}
	if got, err := readTenant(id, tenantRow); err != nil || got != made {
		t.Errorf("tenant: %+v, %v", got, err)
	}
	full := tenant.Workspace{ID: id, Name: "north", CreatedAt: noon, Version: 7, Settings: tenant.Settings{
		IdleSeconds: 60, DeferEmbedding: true, MergeThreshold: 0.85, LexicalWeight: ptr(0.25), Budgets: tenant.Budgets{ModelTokensPerMonth: ptr(int64(5)), StoredBytes: ptr(int64(0))},
	}}
	fullRow := store.Attrs{
		"v": store.N(1), "name": store.S("north"), "at": store.N(1772366400000), "n": store.N(7), "idle": store.N(60),
		"defer": store.T(true), "merge": store.Decimal("0.85"), "lex": store.Decimal("0.25"), "tokens": store.N(5), "bytes": store.N(0),
	}
	bare := tenant.Workspace{ID: id, Name: "x", CreatedAt: noon, Version: 1, Settings: tenant.DefaultSettings()}
	bareRow := store.Attrs{
		"v": store.N(1), "name": store.S("x"), "at": store.N(1772366400000), "n": store.N(1), "idle": store.N(1800),
		"defer": store.T(false), "merge": store.Decimal("0.9"),
	}
	for _, test := range []struct {
		w   tenant.Workspace
		row store.Attrs
	}{{full, fullRow}, {bare, bareRow}} {
		if got := workspaceAttrs(test.w); !reflect.DeepEqual(got, test.row) {
			t.Errorf("workspace: %v", got)
		}
		if got, err := readWorkspace(id, store.Item{Attrs: test.row}); err != nil || !reflect.DeepEqual(got, test.w) {
			t.Errorf("workspace: %+v, %v", got, err)
		}
	}
}

func TestRowsThatCannotBeReadAreErrors(t *testing.T) {
	if _, err := readTenant("t", store.Attrs{"v": store.N(2)}); err == nil {
		t.Error("a tenant of another schema was read")
	}
	if _, err := readWorkspace("w", store.Item{Attrs: store.Attrs{"v": store.N(2)}}); err == nil {
		t.Error("a workspace of another schema was read")
	}
	if _, err := readWorkspace("w", store.Item{Attrs: store.Attrs{"v": store.N(1)}}); err == nil {
		t.Error("a workspace without a threshold was read")
	}
	if _, err := readReference([]byte("{")); err == nil {
		t.Error("a broken reference was read")
	}
}
