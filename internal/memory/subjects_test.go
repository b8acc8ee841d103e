package memory

import (
	"context"
	"slices"
	"testing"

	"holdfast/internal/keyed"
	"holdfast/internal/store/keys"
)

func TestR030WhatIsBoundToAUserNewestFirst(t *testing.T) {
	w := newWorld(t)
	one := w.add("Ida likes rain.", ofUser("ida"))
	w.add("Ben likes snow.", ofUser("ben"))
	two := w.add("Ida likes tea.", ofUser("ida"), func(d *Draft) { d.AgentID = ptr("bot") })
	gone := w.add("Ida likes fog.", ofUser("ida"))
	if _, err := w.Delete(context.Background(), w.as(agent), Removal{ID: gone, Subject: Subject{UserID: "ida"}}); err != nil {
		t.Fatal(err)
	}
	got, err := w.OfUser(context.Background(), w.scope, "ida", 10)
	if err != nil || len(got) != 2 || got[0].ID != two || got[1].ID != one {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := w.OfUser(context.Background(), w.scope, "nobody", 10); err != nil || len(got) != 0 {
		t.Errorf("of nobody %+v, %v", got, err)
	}
}

func TestT47TheOperationsOfAMemorysTexts(t *testing.T) {
	w := newWorld(t)
	a := w.append(agent, fact("All of the nets in the shed are dry."))
	merged := w.append(agent, fact("All nets in the shed are dry!"))
	updated, err := w.update(agent, a.ID, "The nets are wet.")
	if err != nil || !merged.ContentReplaced {
		t.Fatalf("%+v, %v", merged, err)
	}
	if err := w.delete(agent, a.ID); err != nil {
		t.Fatal(err)
	}
	parts, err := LoadParts(context.Background(), w.Store, w.scope, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := OperationsOf(context.Background(), w.Store, w.scope, w.head(a.ID), parts)
	want := []string{a.OperationID, updated.OperationID, merged.OperationID}
	slices.Sort(got)
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v, %v", got, want, err)
	}
}

func TestR024FloorsHaveARowOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	floor := w.append(admin, fact("Vests are worn.", ofType("policy"), func(d *Draft) { d.Layer, d.NonNegotiable = "Tenant", true })).ID
	soft := w.append(admin, fact("Guests are greeted.", ofType("policy"), func(d *Draft) { d.Layer = "Tenant" })).ID
	own := w.add("Boots are clean.", ofType("policy"), func(d *Draft) { d.NonNegotiable = true })
	for id, want := range map[string]bool{floor: true, soft: false, own: false} {
		if w.has(keys.TenantFloor(tenantID, id)) != want {
			t.Errorf("%s: %v", id, !want)
		}
	}
	if err := w.delete(admin, floor); err != nil {
		t.Fatal(err)
	}
	if w.has(keys.TenantFloor(tenantID, floor)) || w.has(keys.TenantMemory(tenantID, floor)) {
		t.Error("the rows of a deleted floor are left")
	}
}

func TestR031ARequestIsKnownByItsHashOnly(t *testing.T) {
	w := newWorld(t)
	h, err := w.Hasher(context.Background(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	if one := h.Request([]byte("one")); one != h.Request([]byte("one")) || one == h.Request([]byte("two")) || len(one) != 2*keyed.Size {
		t.Errorf("hash %q", one)
	}
}
