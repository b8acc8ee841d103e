package memory

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"testing"

	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

const siblingID = "0192f0c1-0000-7000-8000-00000000000c"

// sibling is another workspace of the tenant in the same table.
func (w *world) sibling() *world {
	w.t.Helper()
	other := *w
	other.scope, other.workspace.ID = tenant.Grant(tenantID, siblingID), siblingID
	item := store.Item{Key: keys.Secret(other.scope), Attrs: store.Attrs{keyed.AttrKey: store.B(bytes.Repeat([]byte{9}, 32))}}
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
		w.t.Fatal(err)
	}
	return &other
}

func (w *world) share(c Caller, r Sharing) (Changed, error) {
	return w.Share(context.Background(), w.as(c), r)
}

// to is a share to another workspace, with the caller as it is there.
func (w *world) to(c Caller, id string) Sharing {
	there := w.as(c)
	return Sharing{ID: id, Destination: &there}
}

func TestR080AShareToAnotherLayerIsACopyThatCitesItsSource(t *testing.T) {
	w := newWorld(t)
	id := w.append(person, fact("The pilot boat is called Sirius.", tagged(map[string]string{"a": "1"}), saidBy("Odile"), ofUser("ada"),
		from("2024-01-01T00:00:00Z"), until("2030-01-01T00:00:00Z"), weighing(0.7), ofAttribute("boat"))).ID
	got, err := w.Share(context.Background(), w.as(admin), Sharing{ID: id, Subject: Subject{UserID: "ada"}, TargetLayer: "Tenant"})
	if err != nil {
		t.Fatal(err)
	}
	m, source := w.head(got.ID), w.head(id)
	if m.ID == id || m.Layer != Tenant || m.Content != source.Content || m.Type != Fact || !maps.Equal(m.Tags, source.Tags) ||
		m.Speaker != "Odile" || m.Subject != source.Subject || *m.Importance != 0.7 || m.Trust() != 1 || m.Provenance.Origin != FromPerson ||
		!m.Temporal.ValidFrom.Equal(*source.Temporal.ValidFrom) || !m.Temporal.ValidTo.Equal(*source.Temporal.ValidTo) {
		t.Errorf("copy %+v", m)
	}
	if m.Attribute != "" || m.Version != 1 || m.Provenance.KeyID != "admin-key" {
		t.Errorf("copy %+v", m)
	}
	if cites := m.Provenance.Sources; len(cites) != 1 || !cites[0].equal(Source{Kind: MemorySource, ID: id}) {
		t.Errorf("sources %+v", cites)
	}
	if !w.has(keys.Derived(w.scope, id, m.ID)) || source.Status != Active {
		t.Error("no edge, or a superseded source")
	}
	w.wantOps(m.ID, ledger.Create)
	w.sound()
}

func TestR080AShareToAnotherWorkspace(t *testing.T) {
	w := newWorld(t)
	there := w.sibling()
	id := w.add("The pilot boat is called Sirius.", by("tool"))
	twin := there.add("The pilot boat is called Sirius.")
	got, err := w.share(admin, there.to(admin, id))
	if err != nil || got.ID == twin || got.WorkspaceID != siblingID || got.Layer != Workspace || got.Trust() != 0.5 {
		t.Fatalf("%+v, %v", got, err)
	}
	if !got.CitesOnly(id) || len(got.Cites()) != 0 || there.has(keys.Derived(there.scope, id, got.ID)) {
		t.Errorf("an edge that leads nowhere: %+v", got.Provenance)
	}
	parts, err := LoadParts(context.Background(), w.Store, w.scope, id)
	if err != nil || len(parts.Derived) != 0 || !slices.Equal(parts.Copies, []Copy{{siblingID, got.ID}}) || len(parts.Edges) != 1 {
		t.Errorf("parts %+v, %v", parts, err)
	}
	if _, err := there.update(agent, got.ID, "The pilot boat was sold."); err != nil || w.head(id).Version != 1 {
		t.Errorf("source %+v, %v", w.head(id), err)
	}
	if err := there.delete(agent, got.ID); err != nil {
		t.Fatal(err)
	}
	if edges := CitedEdges(there.scope, there.head(got.ID)); !slices.Equal(edges, parts.Edges) {
		t.Errorf("edges of the deleted copy %v, want %v", edges, parts.Edges)
	}
	w.sound()
	there.sound()
}

func TestR080WhereASharedCopyMayGo(t *testing.T) {
	w := newWorld(t)
	there := w.sibling()
	id := w.add("The tug is called Vega.")
	dest, here := there.as(admin), w.as(admin)
	foreign := Target{Scope: tenant.Grant("0192f0c1-0000-7000-8000-0000000000ff", siblingID), Workspace: there.workspace, Caller: admin}
	for name, c := range map[string]struct {
		caller  Caller
		sharing Sharing
		code    string
	}{
		"neither":        {admin, Sharing{ID: id}, "VALIDATION_FAILED"},
		"both":           {admin, Sharing{ID: id, TargetLayer: "Tenant", Destination: &dest}, "VALIDATION_FAILED"},
		"session":        {admin, Sharing{ID: id, TargetLayer: "Session"}, "VALIDATION_FAILED"},
		"its own layer":  {admin, Sharing{ID: id, TargetLayer: "Workspace"}, "VALIDATION_FAILED"},
		"its workspace":  {admin, Sharing{ID: id, Destination: &here}, "VALIDATION_FAILED"},
		"no layer":       {admin, Sharing{ID: id, TargetLayer: "tenant"}, "UNKNOWN_LAYER"},
		"platform":       {admin, Sharing{ID: id, TargetLayer: "Platform"}, "LAYER_READ_ONLY"},
		"tenant without": {agent, Sharing{ID: id, TargetLayer: "Tenant"}, "CAPABILITY_MISSING"},
		"another tenant": {admin, Sharing{ID: id, Destination: &foreign}, "NOT_FOUND"},
		"missing":        {admin, Sharing{ID: w.IDs.New(), TargetLayer: "Tenant"}, "NOT_FOUND"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.share(c.caller, c.sharing)
			wantCode(t, err, c.code)
		})
	}
}

func TestR053WhatIsHeldOrSupersededIsNotShared(t *testing.T) {
	w := newWorld(t)
	there := w.sibling()
	old, held := w.add("The tug is called Vega.", ofAttribute("tug")), w.add(hostile)
	w.add("The tug is called Altair.", ofAttribute("tug"))
	bound, gone := w.add("Ada likes the tug.", ofUser("ada")), w.add("The tug is old.")
	if err := w.delete(agent, gone); err != nil {
		t.Fatal(err)
	}
	for id, code := range map[string]string{old: "NOT_SHAREABLE", held: "NOT_SHAREABLE", bound: "NOT_FOUND", gone: "NOT_FOUND"} {
		_, err := w.share(admin, there.to(admin, id))
		wantCode(t, err, code)
		_, err = w.share(admin, Sharing{ID: id, TargetLayer: "Tenant"})
		wantCode(t, err, code)
	}
	_, err := w.share(other, Sharing{ID: held, TargetLayer: "Workspace"})
	wantCode(t, err, "NOT_FOUND")
	there.sound()
}

func TestA05ARejectedValueIsNotSharedIn(t *testing.T) {
	w := newWorld(t)
	there := w.sibling()
	bad := there.add("The diver is called Mr Finn.")
	if _, err := there.update(person, bad, "The diver is called Mr. Finnegan."); err != nil {
		t.Fatal(err)
	}
	id := w.add("The diver is called Mr Finn.")
	_, err := w.share(admin, there.to(agent, id))
	wantCode(t, err, "REJECTED_VALUE")
}

func TestT15AShareIsReplayed(t *testing.T) {
	w := newWorld(t)
	there := w.sibling()
	id := w.add("The tug is called Vega.")
	for name, r := range map[string]Sharing{"layer": {ID: id, TargetLayer: "Tenant"}, "workspace": there.to(admin, id)} {
		at := w
		if r.Destination != nil {
			at = there
		}
		one, err := w.Share(context.Background(), w.keyed(admin, name, name), r)
		if err != nil || one.Replayed {
			t.Fatalf("%s: %+v, %v", name, one, err)
		}
		two, err := w.Share(context.Background(), w.keyed(admin, name, name), r)
		if err != nil || !two.Replayed || two.ID != one.ID || two.OperationID != one.OperationID || two.Sequence != one.Sequence {
			t.Errorf("%s again: %+v, %v, first %+v", name, two, err, one)
		}
		if _, err = w.Share(context.Background(), w.keyed(admin, name, "other"), r); err == nil {
			t.Errorf("%s: the key was taken for another body", name)
		}
		if err := at.delete(admin, one.ID); err != nil {
			t.Fatal(err)
		}
		_, err = w.Share(context.Background(), w.keyed(admin, name, name), r)
		wantCode(t, err, "NOT_FOUND")
	}
}

func TestT17AFaultedShareHasOneEffect(t *testing.T) {
	for _, abroad := range []bool{false, true} {
		var id string
		var got Changed
		swept(t, func(w *world) { w.sibling(); known(w, &id, "The mast is teak.") },
			func(w *world) (err error) {
				r := Sharing{ID: id, TargetLayer: "Tenant"}
				if abroad {
					there := w.as(admin)
					there.Scope = tenant.Grant(tenantID, siblingID)
					r = Sharing{ID: id, Destination: &there}
				}
				got, err = w.Share(context.Background(), w.keyed(admin, "k", ""), r)
				return err
			},
			func(w *world) {
				parts, err := LoadParts(context.Background(), w.Store, w.scope, id)
				if err != nil || len(parts.Edges) != 1 {
					w.t.Errorf("%+v, %v", parts, err)
				}
				at := *w
				if abroad {
					at.scope = tenant.Grant(tenantID, siblingID)
					at.sound()
				}
				if m := at.head(got.ID); m.Status != Active || !m.CitesOnly(id) {
					w.t.Errorf("%+v", m)
				}
			})
	}
}
