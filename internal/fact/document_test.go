package fact

import (
	"reflect"
	"testing"

	"holdfast/internal/runtoken"
	"holdfast/internal/store/keys"
)

func TestTheIndexKnowsWhatIsTrueNow(t *testing.T) {
	w := newWorld(t)
	anna, trial := w.as("anna"), w.run(runtoken.Ask{Experiment: true})
	plain, of := w.save(anna, "a", "plain", tagged("t")), w.save(anna, "users/anna/x", "of anna")
	held, gone, tried := w.save(anna, "a", hostile), w.save(anna, "a", "gone"), w.save(trial, "a", "tried")
	if _, err := w.Delete(t.Context(), anna, gone.ID); err != nil {
		t.Fatal(err)
	}
	live := func(ids ...string) []*Document {
		t.Helper()
		docs, err := Projector{w.Service}.Live(t.Context(), scope, ids)
		if err != nil || len(docs) != len(ids) {
			t.Fatal(docs, err)
		}
		return docs
	}
	docs := live(plain.ID, held.ID, gone.ID, "m_unknown", tried.ID, of.ID)
	want := Document{Scope: scope, Space: OfAgent("desk").Hash(), ID: plain.ID, Version: 1, Updated: plain.UpdatedAt, Path: plain.Path, Tags: []string{"t"}, Text: "plain"}
	if !reflect.DeepEqual(*docs[0], want) {
		t.Errorf("%+v, want %+v", *docs[0], want)
	}
	if docs[1] != nil || docs[2] != nil || docs[3] != nil || docs[4] == nil || docs[4].Space != trial.Space.Hash() {
		t.Errorf("documents %+v", docs)
	}
	if d := docs[5]; d == nil || d.User != "anna" || d.Generation != 1 {
		t.Errorf("%+v", d)
	}
	if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil {
		t.Fatal(err)
	}
	if docs := live(of.ID, plain.ID); docs[0] != nil || docs[1] == nil {
		t.Errorf("after the erasure: %+v", docs)
	}
	if generation, err := w.Generation(t.Context(), anna); err != nil || generation != 2 {
		t.Errorf("generation %d, %v", generation, err)
	}
}

func TestAnIndexIsRebuiltFromRows(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	plain, held, gone := w.save(run, "users/anna", "plain"), w.save(run, "a", hostile), w.save(run, "a", "gone")
	if _, err := w.Delete(t.Context(), run, gone.ID); err != nil {
		t.Fatal(err)
	}
	rows := w.rows()
	for id, want := range map[string]bool{plain.ID: true, held.ID: false, gone.ID: false} {
		d, ok, err := Rebuild(rows[keys.Fact(scope, id)])
		if err != nil || ok != want || ok && !reflect.DeepEqual(d, plain.Document(scope)) {
			t.Errorf("%s: %+v, %v, %v", id, d, ok, err)
		}
	}
}
