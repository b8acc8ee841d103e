package directory

import (
	"context"
	"testing"

	"holdfast/internal/apikey"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

// change is a use case: its caller sends it until it succeeds, with one
// idempotency key.
type change struct {
	prepare func(b *bench, admin Caller) (id string) // nil: nothing
	do      func(b *bench, admin Caller, id string) error
	effects func(b *bench, admin Caller) int // how often it has happened
}

func changes() map[string]change {
	ctx := context.Background()
	keys := func(b *bench, by Caller) int {
		listed, _, err := b.ListKeys(ctx, by, 100, "")
		if err != nil {
			b.t.Fatal(err)
		}
		return len(listed)
	}
	return map[string]change{
		"make a workspace": {
			do: func(b *bench, by Caller, _ string) error {
				_, err := b.CreateWorkspace(ctx, by.with(key("k", "w")), "north", SettingsChange{})
				return err
			},
			effects: func(b *bench, by Caller) (n int) {
				err := b.Workspaces(ctx, by.Scope.TenantID(), func(w tenant.Workspace) error {
					if n++; b.secret(by, w.ID) == nil {
						b.t.Error("a workspace without a secret")
					}
					return nil
				})
				if err != nil {
					b.t.Error(err)
				}
				return n
			},
		},
		"change a workspace": {
			prepare: func(b *bench, by Caller) string { return b.workspace(by).ID },
			do: func(b *bench, by Caller, id string) error {
				change := WorkspaceChange{Name: ptr("west")}
				_, err := b.UpdateWorkspace(ctx, by.with(key("k", "")), id, change, func(v int64) bool { return v == 1 })
				return err
			},
			effects: func(b *bench, by Caller) (n int) {
				page, _, err := b.ListWorkspaces(ctx, by, 1, "")
				if err != nil || page[0].Name != "west" {
					b.t.Error(page, err)
				}
				return int(page[0].Version) - 1
			},
		},
		"make a key": {
			do: func(b *bench, by Caller, _ string) error {
				_, err := b.CreateKey(ctx, by.with(key("k", "a")), NewKey{Kind: apikey.Agent})
				return err
			},
			effects: func(b *bench, by Caller) int { return keys(b, by) - 1 },
		},
		"revoke a key": {
			prepare: func(b *bench, by Caller) string { return b.newKey(by, NewKey{Kind: apikey.Agent}).KeyID },
			do: func(b *bench, by Caller, id string) error {
				_, err := b.DeleteKey(ctx, by.with(key("k", "")), id, nil)
				return err
			},
			effects: func(b *bench, by Caller) int { return 2 - keys(b, by) },
		},
	}
}

// TestT17FaultAtEveryStoreCallHasOneEffect sends each change until it succeeds
// and finds one effect, one log row for it and an unbroken chain.
func TestT17FaultAtEveryStoreCallHasOneEffect(t *testing.T) {
	for name, c := range changes() {
		t.Run(name, func(t *testing.T) {
			var admin Caller // of the store that the run goes on with
			var id string
			var before int
			fresh := func(testing.TB) store.Store {
				table := memstore.New()
				b := benchOver(t, table)
				admin = b.tenant()
				if c.prepare != nil {
					id = c.prepare(b, admin)
				}
				before = len(b.rows(admin))
				return table
			}
			faultstore.Sweep(t, fresh, func(t *testing.T, s *faultstore.Store) {
				b := benchOver(t, s)
				if err := c.do(b, admin, id); err != nil {
					if err := c.do(b, admin, id); err != nil {
						t.Fatalf("again: %v", err)
					}
				}
				s.Disarm()
				if n, rows := c.effects(b, admin), len(b.rows(admin))-before; n != 1 || rows != 1 {
					t.Errorf("%d effects, %d rows", n, rows)
				}
			})
		})
	}
}

// TestT17FaultAtEveryStoreCallOfMakingATenant does the same for tenants, which
// are made in two commits, and looks whether a key that is shown works.
func TestT17FaultAtEveryStoreCallOfMakingATenant(t *testing.T) {
	ctx := context.Background()
	faultstore.Sweep(t, func(testing.TB) store.Store { return memstore.New() }, func(t *testing.T, s *faultstore.Store) {
		b := benchOver(t, s)
		root := b.who(rootKey).with(key("k", "Harbour Lights"))
		made, err := b.CreateTenant(ctx, root, "Harbour Lights")
		if err != nil {
			if made, err = b.CreateTenant(ctx, root, "Harbour Lights"); err != nil {
				t.Fatalf("again: %v", err)
			}
		}
		s.Disarm()
		own := Caller{Scope: tenant.Grant(made.Tenant.ID, tenant.PlatformWorkspace)}
		if rows := b.rows(own); len(rows) != 2 {
			t.Errorf("log %+v", rows)
		}
		if made.AdminKey != "" && b.who(made.AdminKey).Principal.TenantID != made.Tenant.ID {
			t.Error("the key is another tenant's")
		}
		again, err := b.CreateTenant(ctx, root, "Harbour Lights")
		if err != nil || again.Tenant != made.Tenant || !again.Replayed {
			t.Errorf("sent once more: %+v, %v", again, err)
		}
	})
}

// TestT17SecondTenantIsNotMade counts the rows of the whole table after the
// answer of the second of the two commits was lost.
func TestT17SecondTenantIsNotMade(t *testing.T) {
	for n := 1; n <= 2; n++ {
		table := memstore.New()
		s := faultstore.New(table)
		b := benchOver(t, s)
		root := b.who(rootKey).with(key("k", "x"))
		s.Arm(faultstore.Fault{At: n, Ops: []faultstore.Op{faultstore.Commit}, After: true})
		for try := 0; ; try++ {
			if _, err := b.CreateTenant(context.Background(), root, "x"); err == nil {
				break
			} else if try == 3 {
				t.Fatal(err)
			}
		}
		rows := map[string]int{}
		err := table.Scan(context.Background(), func(item store.Item) error { rows[item.Key.SK]++; return nil })
		if err != nil || rows["META"] != 1 || rows["KEY"] != 1 {
			t.Errorf("commit %d: %d tenants, %d keys, %v", n, rows["META"], rows["KEY"], err)
		}
	}
}
