package memory

import (
	"context"
	"slices"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/store/keys"
)

func TestA02ANewValueSupersedesTheOld(t *testing.T) {
	w := newWorld(t)
	old := w.add("The harbour master is Greta.", ofAttribute("master"))
	now := w.add("The harbour master is Hugo.", ofAttribute("master"))
	was, is := w.head(old), w.head(now)
	if was.Status != Superseded || was.Temporal.SupersededBy != now || !was.Temporal.SupersededAt.Equal(is.Temporal.RecordedAt) ||
		!was.Temporal.ReplacedFrom.Equal(is.Temporal.EventTime()) || was.Content == "" {
		t.Errorf("old %+v", was)
	}
	if is.Status != Active || is.Temporal.SupersededAt != nil {
		t.Errorf("new %+v", is)
	}
	w.wantOps(old, ledger.Create, ledger.Supersede)
	w.wantOps(now, ledger.Create)
	if m, err := w.Get(context.Background(), w.as(agent), old, Subject{}); err != nil || m.Status != Superseded {
		t.Errorf("the old one by id: %+v, %v", m, err)
	}
}

func TestA02OnlyTheSameSubjectAndAttributeIsSuperseded(t *testing.T) {
	w := newWorld(t)
	kept := []string{
		w.add("Rolf lives in Turku.", ofAttribute("home"), ofUser("rolf")),
		w.add("Rolf works in Pori.", ofAttribute("work"), ofUser("ada")),
		w.add("Nobody lives here.", ofAttribute("home")),
		w.add("Run one lives here.", ofAttribute("home"), ofUser("ada"), inRun("one")),
	}
	old := w.add("Ada lives in Vaasa.", ofAttribute("home"), ofUser("ada"))
	w.add("Ada lives in Oulu.", ofAttribute("home"), ofUser("ada"))
	for _, id := range kept {
		if m := w.head(id); m.Status != Active {
			t.Errorf("%q is %s", m.Content, m.Status)
		}
	}
	if m := w.head(old); m.Status != Superseded {
		t.Errorf("%q is %s", m.Content, m.Status)
	}
}

func TestR085AnOlderValueThatArrivesLateIsHistory(t *testing.T) {
	w := newWorld(t)
	current := w.add("The cook is Lars.", ofAttribute("cook"), from("2023-03-01T00:00:00Z"))
	late := w.add("The cook is Mona.", ofAttribute("cook"), from("2021-03-01T00:00:00Z"))
	m := w.head(late)
	if m.Status != Superseded || m.Temporal.SupersededBy != current || m.Temporal.SupersededAt == nil ||
		m.Temporal.ReplacedFrom.Year() != 2023 {
		t.Errorf("the late one %+v", m)
	}
	if w.head(current).Status != Active {
		t.Error("the current one is not")
	}
	w.wantOps(late, ledger.Create)
	if again := w.add("The cook is Mona.", ofAttribute("cook"), from("2021-03-01T05:00:00Z")); again == late {
		t.Error("a superseded memory was merged into")
	}
	newer := w.add("The cook is Nils.", ofAttribute("cook"))
	if w.head(current).Status != Superseded || w.head(newer).Status != Active {
		t.Error("a value from now on is not current")
	}
}

func TestA02ASupersededMemoryIsNoMergeTarget(t *testing.T) {
	w := newWorld(t)
	first := w.add("The flag is red.", ofAttribute("flag"))
	w.add("The flag is green.", ofAttribute("flag"))
	again := w.add("The flag is red.", ofAttribute("flag"))
	if again == first || w.head(again).Status != Active || w.head(first).Status != Superseded {
		t.Errorf("red again: %+v", w.head(again))
	}
	if plain := w.add("the FLAG is red."); plain != again {
		t.Error("the current one is no merge target")
	}
}

func TestA02AValueSaidWithoutItsAttributeStaysApartFromOneWith(t *testing.T) {
	w := newWorld(t)
	plain := w.add("The berth is nine.")
	w.add("The berth is four.", ofAttribute("berth"))
	again := w.add("The berth is nine.", ofAttribute("berth"))
	if again == plain || w.head(again).Status != Active {
		t.Errorf("nine with its attribute: %+v", w.head(again))
	}
}

func TestA02DeletingTheCurrentValueFreesTheAttribute(t *testing.T) {
	w := newWorld(t)
	old := w.add("The pier fee is two.", ofAttribute("fee"))
	current := w.add("The pier fee is three.", ofAttribute("fee"))
	m := w.head(current)
	if err := w.delete(agent, current); err != nil {
		t.Fatal(err)
	}
	h, err := w.Hasher(context.Background(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	if item := w.items()[keys.Attribute(w.scope, h.attribute(m))]; item.Attrs.Text(attrID) != "" {
		t.Error("the row still names it")
	}
	if w.head(old).Status != Superseded {
		t.Error("the predecessor came back")
	}
	if next := w.add("The pier fee is four.", ofAttribute("fee"), from("2020-01-01T00:00:00Z")); w.head(next).Status != Active {
		t.Error("the attribute is not free")
	}
	if err := w.delete(agent, old); err != nil {
		t.Fatal(err)
	}
	if !w.has(keys.Attribute(w.scope, h.attribute(m))) {
		t.Error("deleting a superseded value freed the attribute")
	}
}

func TestA02ALogRowNamesBothSides(t *testing.T) {
	w := newWorld(t)
	w.add("The mooring is A.", ofAttribute("mooring"))
	a := w.append(agent, fact("The mooring is B.", ofAttribute("mooring")))
	rows, err := (ledger.Log{Store: w.Store}).Rows(context.Background(), w.scope, 2, 10)
	if err != nil || len(rows) != 2 {
		t.Fatalf("rows %v, %v", rows, err)
	}
	if got := []ledger.Op{rows[0].Entry.Op, rows[1].Entry.Op}; !slices.Equal(got, []ledger.Op{ledger.Create, ledger.Supersede}) {
		t.Errorf("ops %v", got)
	}
	if a.Sequence != rows[1].Sequence || rows[0].OperationID != rows[1].OperationID {
		t.Errorf("outcome %+v of rows %+v", a.Outcome, rows)
	}
}

func TestR085OfTwoUndatedValuesTheOneWrittenLaterIsCurrent(t *testing.T) {
	w := newWorld(t)
	old := w.add("The gauge reads low.", ofAttribute("gauge"))
	slow := worldOver(t, w.Store) // a process whose clock is behind
	now := slow.append(agent, fact("The gauge reads high.", ofAttribute("gauge"))).ID
	if w.head(now).Status != Active || w.head(old).Status != Superseded {
		t.Errorf("%+v", w.head(now))
	}
}
