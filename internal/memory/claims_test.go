package memory

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/store/faultstore"
)

// wantStatus holds memories against what became of them.
func (w *world) wantStatus(want Status, list ...string) {
	w.t.Helper()
	for _, id := range list {
		if m := w.head(id); m.Status != want {
			w.t.Errorf("%q is %s, want %s", m.Content, m.Status, want)
		}
	}
}

func TestA02AChangeWithoutAttributeSupersedes(t *testing.T) {
	for _, c := range []struct{ older, newer string }{
		{"I live in Porto.", "I moved to Faro."},
		{"The retry limit is 3 attempts.", "The retry limit is now 5 attempts."},
		{"The review meeting is on Tuesday.", "The review meeting has been moved to Thursday."},
		{"We use Slack.", "We switched from Slack to Teams."},
		{"Alice owns the billing module.", "Boris now owns the billing module."},
	} {
		w := newWorld(t)
		old, now := w.add(c.older), w.add(c.newer)
		was, is := w.head(old), w.head(now)
		if was.Status != Superseded || was.Temporal.SupersededBy != now || !was.Temporal.SupersededAt.Equal(is.Temporal.RecordedAt) ||
			!was.Temporal.ReplacedFrom.Equal(is.Temporal.EventTime()) || is.Status != Active {
			t.Errorf("%+v\n%+v", was, is)
		}
		w.wantOps(old, ledger.Create, ledger.Supersede)
		w.wantOps(now, ledger.Create)
		w.sound()
	}
}

func TestA02WithoutAWordOfChangeBothStay(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("The retry limit is 3 attempts."), w.add("The retry limit is 5 attempts.")
	w.wantStatus(Active, one, two)
	three := w.add("The retry limit was raised to 7 attempts.")
	w.wantStatus(Superseded, one, two)
	four := w.add("The retry limit is now 5 attempts.")
	w.wantStatus(Superseded, three)
	w.wantStatus(Active, four)
	w.sound()
}

func TestA02AChangeClosesOnlyWhatItIsAbout(t *testing.T) {
	w := newWorld(t)
	text := "The retry limit is 3 attempts."
	kept := []string{
		w.add(text, ofUser("ada")), w.add(text, saidBy("user")), w.add(text, inRun("one")),
		w.add("The retry limit is 4 attempts.", ofAttribute("limit")), w.add(text, ofType("policy")), w.add(text, ofType("procedure")), w.add(text, ofType("file_doc")),
		w.add("The login limit is 3 attempts."), w.add("The retry limit is 5 attempts."),
		w.add(text, from("2099-01-01T00:00:00Z")),
	}
	gone := []string{w.add(text), w.add(text, ofType("decision")), w.add(text, ofType("preference"))}
	w.add("The retry limit is now 5 attempts.")
	w.wantStatus(Active, kept...)
	w.wantStatus(Superseded, gone...)
	for _, kind := range []string{"policy", "procedure", "file_doc"} {
		w.add("The retry limit is now 9 attempts.", ofType(kind))
	}
	w.add("The retry limit is now 9 attempts.", from("2099-01-01T00:00:00Z"))
	w.add("The retry limit is now 9 attempts.", func(d *Draft) { d.ValidTo = ptr(instant("2099-01-01T00:00:00Z")) })
	w.wantStatus(Active, kept...)
	w.sound()
}

func TestA02WhatIsTrustedLessClosesNothing(t *testing.T) {
	w := newWorld(t)
	ofPerson := w.append(person, fact("The fee is €10.")).ID
	ofAgent := w.add("The fee is €11.")
	w.add("The fee is now €12.", func(d *Draft) { d.Origin = ptr("web") })
	w.wantStatus(Active, ofPerson, ofAgent)
	w.add("The fee is now €13.")
	w.wantStatus(Active, ofPerson)
	w.wantStatus(Superseded, ofAgent)
	w.clock.Advance(1e9)
	w.append(person, fact("The fee is now €14."))
	w.wantStatus(Superseded, ofPerson)
	w.sound()
}

func TestR085AClaimThatArrivesLateIsHistory(t *testing.T) {
	w := newWorld(t)
	current := w.add("I moved to Faro.", from("2023-03-01T00:00:00Z"))
	plain := w.add("I live in Porto.", from("2021-03-01T00:00:00Z"))
	changed := w.add("I moved to Lagos.", from("2022-03-01T00:00:00Z"))
	for _, id := range []string{plain, changed} {
		m := w.head(id)
		if m.Status != Superseded || m.Temporal.SupersededBy != current || m.Temporal.ReplacedFrom.Year() != 2023 {
			t.Errorf("%+v", m)
		}
		w.wantOps(id, ledger.Create)
	}
	w.wantStatus(Active, current, w.add("I live in Braga."))
	w.sound()
}

func TestR075AQuarantinedClaimWaitsForItsRelease(t *testing.T) {
	w := newWorld(t)
	old := w.add("The clerk is called Ada.")
	held := w.add("The clerk is now called Ben.")
	w.wantStatus(Superseded, old)
	if _, err := w.update(agent, held, hostile); err != nil {
		t.Fatal(err)
	}
	w.sound()
	if _, err := w.update(agent, held, "The clerk is now called Dora."); err != nil {
		t.Fatal(err)
	}
	w.wantStatus(Quarantined, held)
	later := w.add("The clerk is called Emil.", from("2020-01-01T00:00:00Z"))
	if _, err := w.review(reviewer, held, Release); err != nil {
		t.Fatal(err)
	}
	w.wantStatus(Superseded, later)
	w.wantOps(later, ledger.Create, ledger.Supersede)
	w.sound()
}

func TestR085AClaimThatIsReleasedLateIsHistory(t *testing.T) {
	w := newWorld(t)
	held := w.add("The clerk is now called Ben. " + hostile)
	if _, err := w.update(agent, held, "The clerk is now called Ben."); err != nil {
		t.Fatal(err)
	}
	next := w.add("The clerk is now called Cleo.")
	if _, err := w.review(reviewer, held, Release); err != nil {
		t.Fatal(err)
	}
	w.wantStatus(Active, next)
	w.wantStatus(Superseded, held)
	w.sound()
}

func TestA02AnEditMovesTheClaimAndClosesNothing(t *testing.T) {
	w := newWorld(t)
	old := w.add("The fee is €10.")
	edited := w.add("The quay is long.")
	if _, err := w.update(agent, edited, "The fee is now €12."); err != nil {
		t.Fatal(err)
	}
	w.wantStatus(Active, old, edited)
	w.sound()
	w.add("The fee is now €13.")
	w.wantStatus(Superseded, old, edited)
	w.sound()
}

func TestA02ADeletedClaimLeavesNoRow(t *testing.T) {
	w := newWorld(t)
	old, now := w.add("The fee is €10."), w.add("The fee is now €12.")
	for _, id := range []string{now, old} {
		if err := w.delete(agent, id); err != nil {
			t.Fatal(err)
		}
		w.sound()
	}
}

func TestA02AChangeClosesTheNewestEight(t *testing.T) {
	w := newWorld(t)
	var list []string
	for n := range 10 {
		list = append(list, w.add("The fee is €"+strconv.Itoa(n+20)+"."))
	}
	w.add("The fee is now €10.")
	w.wantStatus(Active, list[:2]...)
	w.wantStatus(Superseded, list[3:]...)
}

// What a text claims is in no row in the clear.
func TestA02ClaimRowsTellNothing(t *testing.T) {
	w := newWorld(t)
	w.add("Zenobia lives in Quetzaltenango.")
	for key, item := range w.items() {
		if strings.Contains(key.PK, "#CL#") && strings.Contains(strings.ToLower(key.PK+item.Attrs.Text(attrEntries)), "zenobia") {
			t.Errorf("%v", key)
		}
	}
}

func TestA02AClaimCostsNoFurtherCall(t *testing.T) {
	calls := func(text string) int {
		s := faultstore.New(filled(t))
		w := worldOver(t, s)
		w.add("The quay is long.")
		before := s.Calls()
		w.add(text)
		return s.Calls() - before
	}
	plain := calls("Gulls nest on the long quay in spring.")
	for _, text := range []string{"I live in Porto.", "I moved to Faro."} {
		if n := calls(text); n != plain {
			t.Errorf("%q: %d calls, not %d", text, n, plain)
		}
	}
}

func TestT17AFaultedChangeHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) { w.add("I live in Porto."); w.add("I live in Braga.") },
		func(w *world) error {
			a, err := w.Append(context.Background(), w.keyed(agent, "k", ""), fact("I moved to Faro."))
			id = a.ID
			return err
		},
		func(w *world) {
			if n := total(w); n != 5 || w.head(id).Status != Active {
				w.t.Errorf("%d log rows", n)
			}
		})
}
