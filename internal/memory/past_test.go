package memory

import (
	"context"
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/store"
)

// past reads an earlier text of a memory.
func (w *world) past(id string, version int64, profile string) *Earlier {
	w.t.Helper()
	out, err := LoadEarlier(context.Background(), w.Store, w.scope, []TextID{{id, version}}, profile)
	if err != nil {
		w.t.Fatal(err)
	}
	return out[0]
}

func (w *world) profile() string { return w.model.Profile().Name() }

// current is the vector beside a memory's text.
func (w *world) current(id string) []float32 {
	w.t.Helper()
	list, err := LoadVectors(context.Background(), w.Store, w.scope, []string{id}, w.profile())
	if err != nil {
		w.t.Fatal(err)
	}
	return list[0].Values
}

func TestAReplacedTextKeepsItsVector(t *testing.T) {
	w := newWorld(t)
	before, after := "The office keeps all of the tide tables in the blue cabinet.", "The office keeps all the tide tables in the blue cabinet"
	id := w.add(before)
	first := w.current(id)
	if a := w.append(agent, fact(after)); a.ID != id || !a.ContentReplaced {
		t.Fatalf("%+v", a)
	}
	second := w.current(id)
	if _, err := w.update(agent, id, "The office keeps the tide tables at home."); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[int64][]float32{1: first, 2: second} {
		e := w.past(id, version, w.profile())
		if e == nil || len(want) == 0 || !slices.Equal(e.Vector, want) || e.Version.Version != version || e.Held {
			t.Errorf("version %d: %+v", version, e)
		}
		if e := w.past(id, version, "another-256-v1"); e == nil || e.Vector != nil {
			t.Errorf("version %d in another profile: %+v", version, e)
		}
	}
	if w.past(id, 3, w.profile()) != nil || w.past(id, 0, w.profile()) != nil {
		t.Error("what is no earlier text was read as one")
	}
}

func TestATextWithoutAVectorOfItsOwnKeepsNone(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.DeferEmbedding = true
	deferred, stale := w.add("The keel is lead."), w.add("The mast is teak.")
	row := VectorItem(w.scope, stale, w.profile(), Vector{Version: 7, Values: make([]float32, 256)})
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("", row, nil)}}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{deferred, stale} {
		if _, err := w.update(agent, id, "The text is new."); err != nil {
			t.Fatal(err)
		}
		if e := w.past(id, 1, w.profile()); e == nil || e.Vector != nil || e.Held {
			t.Errorf("%+v", e)
		}
	}
}

// A text that was held from the start until it was replaced is marked, one that was
// shown for a while is not.
func TestS019EarlierTextsTellWhetherTheyWereHeldThroughout(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ramp is wet.")
	for _, text := range []string{hostile, "The ramp is dry.", "The ramp is steep."} {
		if _, err := w.update(agent, id, text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.review(reviewer, id, Release); err != nil {
		t.Fatal(err)
	}
	if _, err := w.update(agent, id, "The ramp is long."); err != nil {
		t.Fatal(err)
	}
	for version, held := range map[int64]bool{1: false, 2: true, 3: true, 4: false} {
		e := w.past(id, version, w.profile())
		if e == nil || e.Held != held || (len(e.Vector) > 0) == held {
			t.Errorf("version %d: %+v", version, e)
		}
	}
	late := whole()
	late.Quarantine.At = late.Edition.At.Add(time.Millisecond)
	if late.neverShown() {
		t.Error("a text that was shown before it was held counts as never shown")
	}
}

func TestADamagedEarlierTextIsAnError(t *testing.T) {
	w := newWorld(t)
	id := w.add("The keel is lead.")
	if _, err := w.update(agent, id, "The keel is iron."); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]store.Value{attrVector: store.B([]byte{1}), attrDoc: store.B([]byte("{"))} {
		for key, item := range w.items() {
			if !hasPrefix(key.SK, "V#") {
				continue
			}
			item.Attrs[name] = value
			if _, err := DecodeEarlier(item, w.profile()); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

func TestDocumentOfAnEarlierText(t *testing.T) {
	m := whole()
	m.Status = Active
	from, to := m.CreatedAt, m.Edition.At
	v := Version{Version: 2, Content: "The lamp was out.", RecordedFrom: from, RecordedTo: &to}
	doc := PastDocument(scope, m, v, 17, []float32{1, 0}, "p")
	if doc.Scope != scope.Past() || doc.ID != memoryID+".2" || doc.Item != memoryID || doc.Version != 2 || doc.Sequence != 17 ||
		doc.Text != v.Content || doc.Speaker != "Odile" || doc.Session != "" || doc.Profile != "p" || !doc.Until.Equal(*m.Temporal.ValidTo) {
		t.Errorf("document %+v", doc)
	}
	today := Document(scope, m, 17, nil, "")
	for field, values := range today.Fields {
		if got := doc.Fields[field]; len(got) != len(values) {
			t.Errorf("field %s: %v", field, got)
		}
	}
	want := today.Times
	want[TimeSince], want[TimeUntil] = from, to
	wantTimes(t, doc.Times, want)
	m.Layer = Tenant
	if got := PastDocument(scope, m, v, 1, nil, "p"); got.Scope != scope.Own().Past() || got.Profile != "" {
		t.Errorf("of layer Tenant: %+v", got)
	}
}

func TestTimesOfADocument(t *testing.T) {
	m := whole()
	at, later := m.CreatedAt, m.Edition.At
	m.Temporal.Narrowed = nil
	doc := Document(scope, m, 1, nil, "")
	want := search.Times{TimeSince: later, TimeEvent: at, TimeSuperseded: later, TimeReplaced: later, TimeValidFrom: at, TimeValidTo: later}
	wantTimes(t, doc.Times, want)
	m.Temporal.Narrowed = []Narrowing{{At: at, From: later.Add(2)}, {At: later, From: later.Add(1)}}
	want[TimeForeseen] = later.Add(2)
	wantTimes(t, Document(scope, m, 1, nil, "").Times, want)
	if doc.Item != m.ID {
		t.Errorf("item %q", doc.Item)
	}
	plain := &Memory{ID: "x", Temporal: Temporal{RecordedAt: at}, Edition: Edition{At: later}}
	wantTimes(t, Document(scope, plain, 1, nil, "").Times, search.Times{TimeSince: later, TimeEvent: at})
}

func wantTimes(t *testing.T, got, want search.Times) {
	t.Helper()
	for name, at := range want {
		if !got[name].Equal(at) || got[name].IsZero() {
			t.Errorf("%s is %v, want %v", name, got[name], at)
		}
	}
	if len(got) != len(want) {
		t.Errorf("times %v, want %v", got, want)
	}
}

func TestIdsOfEarlierTexts(t *testing.T) {
	for version, want := range map[int64][]string{0: nil, 1: nil, 3: {"x.1", "x.2"}} {
		if got := (&Memory{ID: "x", Version: version}).PastIDs(); !slices.Equal(got, want) {
			t.Errorf("of version %d: %q", version, got)
		}
	}
}
