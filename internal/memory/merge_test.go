package memory

import (
	"context"
	"maps"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/store/keys"
)

func TestS014AnEqualTextJoinsUnreplaced(t *testing.T) {
	w := newWorld(t)
	older := w.append(agent, fact("The chandlery is in Lübeck.")).ID
	w.model.calls = 0
	for _, twin := range []string{"The chandlery is in Lübeck.", "the CHANDLERY is in lu\u0308beck.", " The  chandlery\tis\nin Lübeck. "} {
		a := w.append(other, fact(twin))
		if a.ID != older || !a.Merged || a.ContentReplaced {
			t.Errorf("%q: %+v", twin, a)
		}
	}
	m := w.head(older)
	if m.Version != 1 || m.Content != "The chandlery is in Lübeck." || m.MergeCount != 3 || len(m.Merges) != 3 {
		t.Errorf("after merges %+v", m)
	}
	if m.Merges[0].KeyID != "other-key" || m.Merges[0].Replaced {
		t.Errorf("merge %+v", m.Merges[0])
	}
	if w.model.calls != 0 {
		t.Error("an equal text was embedded")
	}
	w.wantOps(older, ledger.Create, ledger.Merge, ledger.Merge, ledger.Merge)
}

func TestR034AnEqualTextJoinsWhereEmbeddingIsDeferred(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.DeferEmbedding = true
	older := w.append(agent, fact("The bilge alarm is loud.")).ID
	a := w.append(agent, fact("the bilge  alarm is LOUD."))
	if a.ID != older || !a.Merged || a.ContentReplaced || w.model.calls != 0 {
		t.Errorf("%+v after %d calls", a, w.model.calls)
	}
}

func TestS015NearlyEqualTextReplaces(t *testing.T) {
	w := newWorld(t)
	before, after := "The office keeps all of the tide tables in the blue cabinet.", "The office keeps all the tide tables in the blue cabinet"
	older := w.append(agent, fact(before)).ID
	a := w.append(person, fact(after))
	if a.ID != older || !a.Merged || !a.ContentReplaced {
		t.Fatalf("%+v", a)
	}
	m := w.head(older)
	if m.Version != 2 || m.Content != after || m.Edition.Reason != ByMerge || m.Edition.Actor != "person-key" || m.Trust() != 1 {
		t.Errorf("after the merge %+v", m)
	}
	list, err := w.Versions(context.Background(), w.as(agent), older, Subject{})
	if err != nil || len(list) != 2 || list[0].Content != after || list[1].Content != before {
		t.Fatalf("versions %+v, %v", list, err)
	}
	if old := list[1]; old.RecordedTo == nil || !old.RecordedTo.Equal(list[0].RecordedFrom) || list[0].RecordedTo != nil {
		t.Errorf("the old version is not closed where the new one begins: %+v", list)
	}
	vectors, err := LoadVectors(context.Background(), w.Store, w.scope, []string{older}, w.model.Profile().Name())
	if err != nil || vectors[0].Version != 2 || len(vectors[0].Values) == 0 {
		t.Errorf("vector %+v, %v", vectors, err)
	}
	if again := w.append(person, fact(after)); again.ID != older || again.ContentReplaced {
		t.Errorf("the new text does not merge: %+v", again)
	}
}

func TestA01BelowTheThresholdBothLiveAndEachIsFoundAgain(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.MergeThreshold = 0.99
	one, two := "The crew is painting the old hull.", "The crew is painting the hulls old."
	two = "The crew paints the old hulls."
	first, second := w.append(agent, fact(one)), w.append(agent, fact(two))
	if second.Merged {
		t.Fatalf("merged below the threshold: %+v", second)
	}
	for _, c := range []struct{ text, id string }{{one, first.ID}, {two, second.ID}} {
		if a := w.append(agent, fact(c.text)); a.ID != c.id || !a.Merged {
			t.Errorf("%q: %+v", c.text, a)
		}
	}
}

func TestA01WithoutTheModelNearTextsBothLive(t *testing.T) {
	w := newWorld(t)
	w.append(agent, fact("The office keeps all of the tide tables."))
	w.model.down = true
	if a := w.append(agent, fact("The office keeps all the tide tables")); a.Merged {
		t.Errorf("%+v", a)
	}
}

func TestA01WhatDiffersNeverMerges(t *testing.T) {
	w := newWorld(t)
	for _, pair := range apart {
		one, two := w.append(agent, fact(pair.one)), w.append(agent, fact(pair.two))
		if two.Merged || one.ID == two.ID {
			t.Errorf("%s: %q joined %q", pair.why, pair.two, pair.one)
		}
	}
}

func TestA01OnlyTheSamePlaceMerges(t *testing.T) {
	w := newWorld(t)
	text := "The winter berth is paid."
	places := [][]func(*Draft){
		{}, {ofType("decision")}, {ofUser("ada")}, {ofUser("ben")},
		{func(d *Draft) { d.AgentID = ptr("ada") }}, {func(d *Draft) { d.ApplicationID = ptr("ada") }},
		{inRun("run-1")}, {inRun("run-2")}, {saidBy("user")}, {saidBy("assistant")},
		{from("2023-03-01T10:00:00Z")}, {from("2023-03-02T10:00:00Z")}, {ofAttribute("berth")},
	}
	seen := map[string]int{}
	for i, place := range places {
		id := w.add(text, place...)
		if j, taken := seen[id]; taken {
			t.Errorf("place %d joined place %d", i, j)
		}
		seen[id] = i
	}
	for i, place := range places[1:] {
		if a := w.append(agent, fact(text, place...)); !a.Merged || seen[a.ID] != i+1 {
			t.Errorf("place %d again: %+v", i+1, a)
		}
	}
	if a := w.append(agent, fact(text, from("2023-03-02T23:30:00+01:00"))); !a.Merged {
		t.Errorf("another hour of the same day: %+v", a)
	}
	if a := w.append(agent, fact(text, func(d *Draft) { d.RunID = ptr("run-9") })); !a.Merged {
		t.Errorf("another run outside layer Session: %+v", a)
	}
}

func TestR035AMergeKeepsTagsAndEvidenceOfBoth(t *testing.T) {
	w := newWorld(t)
	cited := Source{Kind: MemorySource, ID: w.IDs.New()}
	id := w.add("The slipway is steep.", tagged(map[string]string{"side": "north", "kind": "slip"}), citing(Source{Kind: MessageSource, ID: "m-1"}))
	w.add("The slipway is steep.", tagged(map[string]string{"side": "south", "by": "Jo"}), citing(Source{Kind: MessageSource, ID: "m-1"}, cited),
		func(d *Draft) { d.Importance = ptr(0.5) })
	m := w.head(id)
	if want := map[string]string{"side": "south", "kind": "slip", "by": "Jo"}; !maps.Equal(m.Tags, want) {
		t.Errorf("tags %v", m.Tags)
	}
	if len(m.Provenance.Sources) != 2 || m.Provenance.Sources[1].ID != cited.ID || *m.Importance != 0.5 {
		t.Errorf("after the merge %+v", m)
	}
	if !w.has(keys.Derived(w.scope, cited.ID, id)) {
		t.Error("no edge for the new citation")
	}
	if m.Bytes != size(m) {
		t.Errorf("%d bytes counted, %d are there", m.Bytes, size(m))
	}
	w.add("The slipway is steep.")
	if again := w.head(id); !again.UpdatedAt.Equal(m.UpdatedAt) || again.MergeCount != 2 {
		t.Errorf("a merge without news changed %+v", again)
	}
}

func TestR035ManyMergesStayBounded(t *testing.T) {
	w := newWorld(t)
	const text = "The fog horn is broken."
	id := w.add(text)
	for range 150 {
		w.add(text)
	}
	if m := w.head(id); len(m.Merges) != mostMerges || m.MergeCount != 150 {
		t.Errorf("%d merges of %d", len(m.Merges), m.MergeCount)
	}
}

func TestA01AFloorStaysAFloorWhenItMerges(t *testing.T) {
	w := newWorld(t)
	policy := func(floor bool) Draft {
		return fact("Lamps are lit at dusk.", ofType("policy"), func(d *Draft) { d.Layer, d.NonNegotiable = "Tenant", floor })
	}
	id := w.append(admin, policy(false)).ID
	w.append(admin, policy(true))
	w.append(admin, policy(false))
	if !w.head(id).NonNegotiable {
		t.Error("the floor is gone")
	}
	item, found, err := w.Store.Get(context.Background(), keys.TenantMemory(tenantID, id))
	if row := DecodeTenantRow(item); err != nil || !found || !row.NonNegotiable || row.WorkspaceID != workspaceID || row.ID != id || row.Type != Policy {
		t.Errorf("tenant row %+v, %v, %v", row, found, err)
	}
}

// Whichever of two texts comes first, they merge or they do not.
func TestA01MergingIsSymmetric(t *testing.T) {
	pairs := [][2]string{{"All of the nets are dry.", "All nets dry"}, {"Two otters live here.", "2 otters are living here."}}
	for _, pair := range apart {
		pairs = append(pairs, [2]string{pair.one, pair.two})
	}
	for _, pair := range pairs {
		var merged [2]bool
		for i := range merged {
			w := newWorld(t)
			w.append(agent, fact(pair[i]))
			merged[i] = w.append(agent, fact(pair[1-i])).Merged
		}
		if merged[0] != merged[1] {
			t.Errorf("%q: merged %v", pair, merged)
		}
	}
}
