package memory

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/keyed"
	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
)

func TestLoadAnswersInTheOrderAskedOverManyPages(t *testing.T) {
	w := newWorld(t)
	var list []string
	for n := range 230 {
		list = append(list, w.add("Lamp "+strconv.Itoa(n)))
	}
	if err := w.delete(agent, list[7]); err != nil {
		t.Fatal(err)
	}
	asked := append(slices.Clone(list), list[3], w.IDs.New(), list[3])
	got, err := Load(context.Background(), w.Store, w.scope, asked)
	if err != nil || len(got) != len(asked) {
		t.Fatalf("%d of %d, %v", len(got), len(asked), err)
	}
	for i, id := range asked {
		absent := i == 7 || i == 231
		if (got[i] == nil) != absent || got[i] != nil && got[i].ID != id {
			t.Errorf("%d: %+v, want %s", i, got[i], id)
		}
	}
	if none, err := Load(context.Background(), w.Store, w.scope, nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

func TestLoadVectorsTellsTheirVersions(t *testing.T) {
	w := newWorld(t)
	id, held := w.add("The lamp is lit."), w.add(hostile)
	profile := w.model.Profile().Name()
	got, err := LoadVectors(context.Background(), w.Store, w.scope, []string{held, id}, profile)
	if err != nil || got[0].Values != nil || got[1].Version != 1 || len(got[1].Values) != 256 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := LoadVectors(context.Background(), w.Store, w.scope, []string{id}, "other"); err != nil || got[0].Values != nil {
		t.Errorf("of another profile %+v, %v", got, err)
	}
}

func TestStillAtHoldsForTheVersionOnly(t *testing.T) {
	w := newWorld(t)
	id := w.add("The lamp is lit.")
	put := func(version int64) error {
		return w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{
			store.PutItem("vector", VectorItem(w.scope, id, "p", Vector{Version: version, Values: []float32{1}}), nil),
			StillAt(w.scope, id, version),
		}})
	}
	if err := put(1); err != nil {
		t.Error(err)
	}
	if err := put(2); !store.Failed(err, "head") {
		t.Errorf("version 2: %v", err)
	}
}

func TestHashesAreOfTheWorkspace(t *testing.T) {
	one, two := Hasher{keyed.New([]byte("one"))}, Hasher{keyed.New([]byte("two"))}
	m := &Memory{Layer: Workspace, Type: Fact, Attribute: "a", Subject: Subject{UserID: "ida"}}
	hashes := func(h Hasher) []string {
		return append(h.Subject(m.Subject), h.duplicate(m, formsOf("x")), h.rejected(m, formsOf("x")), h.attribute(m), h.exact(formsOf("x")))
	}
	all := append(hashes(one), hashes(two)...)
	slices.Sort(all)
	if len(slices.Compact(all)) != 10 {
		t.Errorf("hashes of another kind or workspace are equal: %v", all)
	}
	if got := one.Subject(Subject{ApplicationID: "x", AgentID: "x", UserID: "x"}); len(got) != 3 || got[0] == got[1] || got[1] == got[2] || len(got[0]) != 2*keyed.Size {
		t.Errorf("hashes of a subject %v", got)
	}
}

func TestAWorkspaceWithoutAKeyCannotBeWritten(t *testing.T) {
	w := worldOver(t, memstore.New())
	_, err := w.Append(context.Background(), w.as(agent), fact("x"))
	if err == nil || errs.KindOf(err) != errs.Internal {
		t.Errorf("%v", err)
	}
}
