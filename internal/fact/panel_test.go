package fact

import (
	"slices"
	"strconv"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
)

func TestR324AnEditInThePanelIsAVersionByAPerson(t *testing.T) {
	w := newWorld(t)
	run, people := w.as("anna"), w.panel("desk")
	f := w.save(run, "users/{user}", "mistaken", tagged("t"), sure(0.5))
	w.tick()
	edited, err := w.Edit(t.Context(), people, f.ID, Patch{Text: ptr("corrected")})
	if err != nil || edited.Text != "corrected" || edited.Version != 2 || !slices.Equal(edited.Tags, []string{"t"}) || *edited.Confidence != 0.5 ||
		edited.Source != (Source{WrittenBy: Person}) || edited.Path != f.Path {
		t.Fatalf("%+v, %v", edited.Fact, err)
	}
	if edited, err = w.Edit(t.Context(), people, f.ID, Patch{Tags: Null[[]string](), Confidence: Given(1.0)}); err != nil || edited.Tags != nil ||
		*edited.Confidence != 1 || edited.Version != 3 || edited.Text != "corrected" {
		t.Errorf("%+v, %v", edited.Fact, err)
	}
	w.wantTexts(run, "", "corrected")
	if rows := w.log(); rows[1].Actor != admin || rows[1].Entry.Op != ledger.Update {
		t.Errorf("%+v", rows[1])
	}
	w.sound()
}

func TestR325APersonClearsWhatScreeningCaught(t *testing.T) {
	w := newWorld(t)
	run, people := w.as(""), w.panel("desk")
	f := w.save(run, "a", hostile)
	edit := func(p Patch) *Fact {
		t.Helper()
		w.tick()
		edited, err := w.Edit(t.Context(), people, f.ID, p)
		if err != nil {
			t.Fatal(err)
		}
		return edited.Fact
	}
	if got := edit(Patch{Tags: Given([]string{"seen"})}); !got.Quarantined || got.Version != 2 {
		t.Errorf("tags alone: %+v", got)
	}
	if got := edit(Patch{Quarantined: ptr(false)}); got.Quarantined || got.Version != 2 || !got.UpdatedAt.Equal(w.head(f.ID).UpdatedAt) {
		t.Errorf("cleared: %+v", got)
	}
	w.wantFound(run, "", f.ID, true)
	if got := edit(Patch{Quarantined: ptr(false)}); got.Quarantined {
		t.Error("cleared again")
	}
	if got := edit(Patch{Confidence: Given(0.5)}); got.Quarantined || got.Version != 3 {
		t.Errorf("a text that a person has cleared is held again: %+v", got)
	}
	if got := edit(Patch{Text: ptr(hostile + " Now.")}); !got.Quarantined || got.Version != 4 {
		t.Errorf("another dirty text: %+v", got)
	}
	if got := edit(Patch{Text: ptr(hostile), Quarantined: ptr(false)}); got.Quarantined || got.Version != 5 {
		t.Errorf("a dirty text that a person vouches for: %+v", got)
	}
	if got := edit(Patch{Quarantined: ptr(true)}); !got.Quarantined || got.Version != 5 {
		t.Errorf("put in by a person: %+v", got)
	}
	w.wantOps(f.ID, ledger.Quarantine, ledger.Update, ledger.Release, ledger.Update, ledger.Quarantine, ledger.Release, ledger.Quarantine)
	w.sound()
}

func TestA33EditsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "a", "x")
	trial := w.save(w.run(runtoken.Ask{Experiment: true}), "a", "trial")
	for name, p := range map[string]Patch{"nothing": {}, "white space": {Text: ptr(" ")}, "a bad tag": {Tags: Given([]string{"a b"})}, "too sure": {Confidence: Given(2.0)}} {
		if _, err := w.Edit(t.Context(), w.panel("desk"), f.ID, p); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	elsewhere := w.panel("desk")
	elsewhere.Scope = scope.Sibling(otherID)
	for _, at := range []struct {
		t  Target
		id string
	}{{w.panel("shop"), f.ID}, {elsewhere, f.ID}, {w.panel("desk"), trial.ID}, {w.panel("desk"), "m_unknown"}} {
		_, err := w.Edit(t.Context(), at.t, at.id, Patch{Text: ptr("y")})
		wantCode(t, err, "NOT_FOUND")
		_, err = w.Delete(t.Context(), at.t, at.id)
		wantCode(t, err, "NOT_FOUND")
		_, _, err = w.Versions(t.Context(), at.t, at.id)
		wantCode(t, err, "NOT_FOUND")
	}
	w.wantTexts(run, "", "x")
}

func TestT16IfMatchOfAnEditAndADelete(t *testing.T) {
	w := newWorld(t)
	f := w.save(w.as(""), "a", "x")
	people := w.panel("desk")
	people.Allows = func(version int64) bool { return version == 2 }
	_, err := w.Edit(t.Context(), people, f.ID, Patch{Text: ptr("y")})
	wantCode(t, err, "VERSION_MISMATCH")
	_, err = w.Delete(t.Context(), people, f.ID)
	wantCode(t, err, "VERSION_MISMATCH")
	_, err = w.Delete(t.Context(), people, "m_unknown")
	wantCode(t, err, "NOT_FOUND")
}

func TestT15AnEditWithAKeyIsDoneOnce(t *testing.T) {
	w := newWorld(t)
	f := w.save(w.as(""), "a", "x")
	people := w.panel("desk")
	key := idem.NewKey("admin-key", "PATCH", "/test", "k", []byte(`{}`), -1)
	people.Key = &key
	first, err := w.Edit(t.Context(), people, f.ID, Patch{Text: ptr("y")})
	if err != nil {
		t.Fatal(err)
	}
	w.save(w.as(""), "a", "z", replacing(f.ID))
	again, err := w.Edit(t.Context(), people, f.ID, Patch{Text: ptr("y")})
	if err != nil || !again.Replayed || again.Text != "y" || again.Version != first.Version {
		t.Errorf("%+v, %v", again.Fact, err)
	}
	if _, err := w.Delete(t.Context(), w.panel("desk"), f.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Edit(t.Context(), people, f.ID, Patch{Text: ptr("y")})
	wantCode(t, err, "NOT_FOUND")
}

func TestR329AgentsAndHowMuchTheyKnow(t *testing.T) {
	w := newWorld(t)
	desk, shop := w.as("anna"), w.run(runtoken.Ask{AgentID: "shop"})
	w.save(desk, "users/{user}", "of anna")
	last := w.save(desk, "notes", "of all")
	w.save(shop, "notes", "of the shop")
	gone := w.save(w.run(runtoken.Ask{AgentID: "gone"}), "a", "gone")
	w.save(w.run(runtoken.Ask{AgentID: "trial", Experiment: true}), "a", "trial")
	if _, err := w.Delete(t.Context(), w.panel("gone"), gone.ID); err != nil {
		t.Fatal(err)
	}
	list, next, err := w.Agents(t.Context(), w.panel(""), 50, "")
	if err != nil || len(list) != 2 || next != "" {
		t.Fatalf("%+v, %q, %v", list, next, err)
	}
	for _, a := range list {
		if a.ID == "desk" && (a.Facts != 2 || !a.UpdatedAt.Equal(last.UpdatedAt)) || a.ID == "shop" && a.Facts != 1 {
			t.Errorf("%+v", a)
		}
	}
	if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil {
		t.Fatal(err)
	}
	if a, found, err := w.agent(t.Context(), w.panel(""), "desk"); err != nil || !found || a.Facts != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestR329AgentsInPages(t *testing.T) {
	w := newWorld(t)
	for n := range 11 {
		w.save(w.run(runtoken.Ask{AgentID: "agent-" + strconv.Itoa(n)}), "a", "x")
	}
	seen := map[string]bool{}
	after := ""
	for range 10 {
		list, next, err := w.Agents(t.Context(), w.panel(""), 3, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if seen[a.ID] {
				t.Errorf("%s twice", a.ID)
			}
			seen[a.ID] = true
		}
		if after = next; next == "" {
			break
		}
	}
	if len(seen) != 11 {
		t.Errorf("%d agents", len(seen))
	}
}
