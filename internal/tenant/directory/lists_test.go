package directory

import (
	"context"
	"errors"
	"slices"
	"testing"

	"holdfast/internal/apikey"
	"holdfast/internal/tenant"
)

func TestT12ListsAreStableAndHoldEachOwnWorkspaceOnce(t *testing.T) {
	b := newBench(t)
	admin, other := b.tenant(), b.tenant()
	var want []string
	for range 5 {
		want = append(want, b.workspace(admin).ID)
		b.workspace(other)
	}
	for limit := 1; limit <= 6; limit++ {
		var got []string
		pages := 0
		for position := ""; ; {
			page, next, err := b.ListWorkspaces(context.Background(), admin, limit, position)
			if err != nil || len(page) > limit {
				t.Fatalf("%d on a page of %d, %v", len(page), limit, err)
			}
			for _, w := range page {
				got = append(got, w.ID)
			}
			pages++
			if position = next; next == "" {
				break
			}
		}
		if !slices.Equal(got, want) || pages != (5+limit-1)/limit {
			t.Errorf("limit %d: %v on %d pages", limit, got, pages)
		}
	}
	page, next, err := b.ListWorkspaces(context.Background(), admin, 2, "")
	if err != nil || len(page) != 2 {
		t.Fatal(err)
	}
	late := b.workspace(admin).ID
	rest, next, err := b.ListWorkspaces(context.Background(), admin, 10, next)
	if err != nil || next != "" || len(rest) != 4 || rest[0].ID != want[2] || rest[3].ID != late {
		t.Errorf("rest %+v, %q, %v", rest, next, err)
	}
}

func TestT4LimitedAdministratorListsItsOwn(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	var all []string
	for range 6 {
		all = append(all, b.workspace(admin).ID)
	}
	limited := b.who(b.newKey(admin, NewKey{Kind: apikey.Person, Role: ptr("admin"), Workspaces: []string{all[1], all[5]}}).Text)
	first, next, err := b.ListWorkspaces(context.Background(), limited, 1, "")
	if err != nil || len(first) != 1 || first[0].ID != all[1] || next == "" {
		t.Fatalf("first %+v, %q, %v", first, next, err)
	}
	second, next, err := b.ListWorkspaces(context.Background(), limited, 1, next)
	if err != nil || len(second) != 1 || second[0].ID != all[5] || next != "" {
		t.Errorf("second %+v, %q, %v", second, next, err)
	}
}

func TestWorkspacesVisitsAllUntilAnError(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	for range walkPage + 3 {
		b.workspace(admin)
	}
	n := 0
	if err := b.Workspaces(context.Background(), admin.Scope.TenantID(), func(tenant.Workspace) error { n++; return nil }); err != nil || n != walkPage+3 {
		t.Errorf("%d visited, %v", n, err)
	}
	stop := errors.New("stop")
	n = 0
	err := b.Workspaces(context.Background(), admin.Scope.TenantID(), func(tenant.Workspace) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d visited, %v", n, err)
	}
}
