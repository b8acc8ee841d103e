package fact

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
)

func TestS35ASavedFactReadsBackTheSame(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "companies/7", "Founded in 1999", tagged("b", "a", "b"), sure(0.5), by("model"))
	got, err := w.Get(t.Context(), run, f.ID)
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Fatalf("read %+v, want %+v, %v", got, f, err)
	}
	if f.Path.String() != "companies/7/" || f.Text != "Founded in 1999" || !slices.Equal(f.Tags, []string{"b", "a"}) || *f.Confidence != 0.5 ||
		f.Version != 1 || !f.CreatedAt.Equal(f.UpdatedAt) || f.Source != (Source{RunID: run.RunID, WrittenBy: Model}) || f.Quarantined {
		t.Errorf("%+v", f)
	}
	w.wantOps(f.ID, ledger.Create)
	row := w.log()[0]
	if row.Entry.Family != Family || !row.Entry.Recall || len(row.Entry.Commitment) != 32 || row.Actor.SourceID != "desk" {
		t.Errorf("log row %+v", row)
	}
}

func TestS39S312R324DraftsThatBreakARule(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	var many []string
	for n := range 21 {
		many = append(many, "t"+strconv.Itoa(n))
	}
	for name, c := range map[string]struct {
		field string
		draft Draft
	}{
		"no path":               {"/path", Draft{Text: ptr("x")}},
		"a bad path":            {"/path", draft("a//b", "x")},
		"users itself":          {"/path", draft("users/", "x")},
		"{user} elsewhere":      {"/path", draft("a/{user}/", "x")},
		"no text":               {"/text", Draft{Path: ptr("a")}},
		"empty text":            {"/text", draft("a", "")},
		"white space":           {"/text", draft("a", " \n\t")},
		"a text too long":       {"/text", draft("a", strings.Repeat("🙂", 4001))},
		"NUL":                   {"/text", draft("a", "x\x00")},
		"no UTF-8":              {"/text", draft("a", "x\xff")},
		"too many tags":         {"/tags", draft("a", "x", tagged(many...))},
		"a tag too long":        {"/tags", draft("a", "x", tagged(strings.Repeat("q", 51)))},
		"an empty tag":          {"/tags", draft("a", "x", tagged(""))},
		"a tag with a comma":    {"/tags", draft("a", "x", tagged("x,y"))},
		"a tag's last newline":  {"/tags", draft("a", "x", tagged("x\n"))},
		"a tag with an accent":  {"/tags", draft("a", "x", tagged("ü"))},
		"confidence below 0":    {"/confidence", draft("a", "x", sure(-0.01))},
		"confidence above 1":    {"/confidence", draft("a", "x", sure(1.01))},
		"an empty key":          {"/key", draft("a", "x", keyedBy(""))},
		"a key too long":        {"/key", draft("a", "x", keyedBy(strings.Repeat("k", 201)))},
		"a key with a slash":    {"/key", draft("a", "x", keyedBy("a/b"))},
		"a person":              {"/written_by", draft("a", "x", by("person"))},
		"an empty writer":       {"/written_by", draft("a", "x", by(""))},
		"a person and replaces": {"/written_by", draft("a", "x", by("person"), replacing("m_unknown"))},
	} {
		_, err := w.Save(t.Context(), run, c.draft)
		e := errs.As(err)
		if e == nil || e.Kind != errs.Invalid || !slices.ContainsFunc(e.Fields, func(f errs.Field) bool { return f.Pointer == c.field }) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.wantTexts(run, "")
	for _, text := range []string{"x", "  padded \n", strings.Repeat("🙂", 4000)} {
		if f := w.save(run, "a", text, tagged(many[:20]...), sure(1)); f.Text != text || len(f.Tags) != 20 {
			t.Errorf("%q became %q", text, f.Text)
		}
	}
}

func TestS315S319TheBorderOfASave(t *testing.T) {
	w := newWorld(t)
	anna, nobody := w.as("anna"), w.as("")
	w.refuses(anna, "OTHER_USER", "users/ben/", "x")
	w.refuses(nobody, "OTHER_USER", "users/anna/", "x")
	w.refuses(nobody, "NO_USER", "users/{user}/", "x")
	if f := w.save(anna, "users/{user}/prefs", "window seat"); f.Path.String() != "users/anna/prefs/" || f.Generation != 1 {
		t.Errorf("%+v", f)
	}
}

func TestS323AnEndedRunWritesNothing(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "a", "kept", keyedBy("k"))
	run.Running = false
	w.refuses(run, "INVOCATION_ENDED", "a", "late")
	w.refuses(run, "INVOCATION_ENDED", "a", "late", keyedBy("k"))
	_, err := w.Delete(t.Context(), run, f.ID)
	wantCode(t, err, "INVOCATION_ENDED")
	w.wantTexts(run, "", "kept")
}

func TestS330R313R314AReplacementIsAnotherVersion(t *testing.T) {
	w := newWorld(t)
	run, later := w.as(""), w.as("")
	old := w.save(run, "a/b", "old", tagged("t"), sure(0.7))
	next := w.save(later, "c", "new", replacing(old.ID), by("model"))
	if next.ID != old.ID || next.Version != 2 || next.Path.String() != "c/" || !slices.Equal(next.Tags, []string{"t"}) || *next.Confidence != 0.7 ||
		!next.CreatedAt.Equal(old.CreatedAt) || !next.UpdatedAt.After(old.UpdatedAt) || next.Source != (Source{later.RunID, Model}) {
		t.Errorf("%+v", next)
	}
	w.wantTexts(run, "a")
	w.wantTexts(run, "c", "new")
	third := w.save(run, "c", "third", replacing(old.ID), func(d *Draft) { d.Tags, d.Confidence = Null[[]string](), Null[float64]() })
	if third.Tags != nil || third.Confidence != nil {
		t.Errorf("not cleared: %+v", third)
	}
	f, versions, err := w.Versions(t.Context(), run, old.ID)
	if err != nil || f.Version != 3 {
		t.Fatal(f, err)
	}
	if want := []Edition{third.Edition, next.Edition, old.Edition}; !reflect.DeepEqual(versions, want) {
		t.Errorf("versions %+v, want %+v", versions, want)
	}
	w.wantOps(old.ID, ledger.Create, ledger.Update, ledger.Update)
	w.sound()
}

func TestR37OrderOfRefusalsOfAReplacement(t *testing.T) {
	w := newWorld(t)
	anna, ben := w.as("anna"), w.as("ben")
	inside, outside, others := w.save(anna, "users/{user}/", "inside"), w.save(anna, "notes", "outside"), w.save(ben, "users/ben", "of ben")
	shop := w.run(runtoken.Ask{AgentID: "shop"})
	elsewhere := w.save(shop, "notes", "of the shop")
	for _, c := range []struct{ id, path, code string }{
		{inside.ID, "notes", "VALIDATION_FAILED"}, {inside.ID, "", "VALIDATION_FAILED"}, {outside.ID, "users/{user}/", "VALIDATION_FAILED"},
		{inside.ID, "users/ben/", "OTHER_USER"}, {outside.ID, "users/ben/", "OTHER_USER"}, {others.ID, "users/ben/", "OTHER_USER"},
		{others.ID, "notes", "NOT_FOUND"}, {others.ID, "users/anna/", "NOT_FOUND"}, {elsewhere.ID, "notes", "NOT_FOUND"},
		{"m_unknown", "notes", "NOT_FOUND"}, {"", "notes", "NOT_FOUND"}, {"m_" + strings.Repeat("0", 26), "notes", "NOT_FOUND"},
	} {
		w.refuses(anna, c.code, c.path, "x", replacing(c.id))
	}
	if f := w.save(anna, "users/{user}/deep", "again", replacing(inside.ID)); f.Version != 2 {
		t.Errorf("%+v", f)
	}
	w.sound()
}

func TestR325WhatScreeningCatchesIsShownButNotSearched(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "notes", hostile)
	if !f.Quarantined || f.Version != 1 {
		t.Fatalf("%+v", f)
	}
	w.wantTexts(run, "", hostile)
	w.wantOps(f.ID, ledger.Quarantine)
	w.wantFound(run, "", f.ID, false)
	if next := w.save(run, "notes", "Clean now.", replacing(f.ID)); !next.Quarantined {
		t.Error("a clean text ended the quarantine")
	}
	plain := w.save(run, "notes", "Plain.")
	w.wantFound(run, "", plain.ID, true)
	if next := w.save(run, "notes", hostile, replacing(plain.ID)); !next.Quarantined {
		t.Error("a replacement was not screened")
	}
	w.wantFound(run, "", plain.ID, false)
	w.wantOps(plain.ID, ledger.Create, ledger.Quarantine)
	if rows := w.log(); rows[0].Entry.Recall || rows[1].Entry.Recall || !rows[3].Entry.Recall {
		t.Error("log rows do not tell what search must look at")
	}
	w.sound()
}

// wantFound asks whether search may show a fact.
func (w *world) wantFound(run Target, path, id string, want bool) {
	w.t.Helper()
	found, err := w.Found(context.Background(), run, w.filter(run, path), []string{id})
	if err != nil || (found[0] != nil) != want {
		w.t.Errorf("search may show %s: %v, %v", id, found[0], err)
	}
	live, err := Projector{w.Service}.Live(context.Background(), scope, []string{id})
	if err != nil || want && (live[0] == nil || live[0].Text != found[0].Text || live[0].Space != run.Space.Hash()) {
		w.t.Errorf("the index knows %+v, %v", live[0], err)
	}
}

func TestS338R310AFullMemoryTakesNoMore(t *testing.T) {
	w := newWorld(t)
	w.Most = 40
	run := w.as("anna")
	first := w.save(run, "a", "first", keyedBy("k"))
	for n := 1; n < 40; n++ {
		w.save(run, "users/{user}", strconv.Itoa(n))
	}
	w.refuses(run, "MEMORY_FULL", "a", "one more")
	if again, err := w.Save(t.Context(), run, draft("a", "other", keyedBy("k"))); err != nil || !again.Repeated {
		t.Errorf("a repeat: %+v, %v", again, err)
	}
	w.save(run, "a", "replaced", replacing(first.ID))
	w.save(w.run(runtoken.Ask{AgentID: "shop"}), "a", "another agent's")
	if _, err := w.Delete(t.Context(), run, first.ID); err != nil {
		t.Fatal(err)
	}
	w.save(run, "a", "room again")
	w.refuses(run, "MEMORY_FULL", "a", "one more")
	w.sound()
}

// Of those that write at once when little room is left, not one more is let in.
func TestS338TheLimitIsExactAmongManyWriters(t *testing.T) {
	w := newWorld(t)
	w.Most = 200
	run := w.as("")
	for n := range 192 {
		w.save(run, "a", strconv.Itoa(n))
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]int{}
	for n := range 40 {
		group.Go(func() {
			_, err := w.Save(context.Background(), run, draft("a", strconv.Itoa(n)))
			mu.Lock()
			defer mu.Unlock()
			if e := errs.As(err); e != nil {
				codes[e.Code]++
			} else {
				codes[""]++
			}
		})
	}
	group.Wait()
	if codes[""] != 8 || codes["MEMORY_FULL"] != 32 {
		t.Errorf("answers %v", codes)
	}
	w.sound()
}

func TestF1ReplacementsAtTheSameTimeAreAllKept(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	f := w.save(run, "users/anna", "start")
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			if _, err := w.Save(context.Background(), run, draft("users/anna", strconv.Itoa(n), replacing(f.ID))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	_, versions, err := w.Versions(t.Context(), run, f.ID)
	if err != nil || len(versions) != 9 {
		t.Fatalf("%d versions, %v", len(versions), err)
	}
	for i, v := range versions {
		if v.Version != int64(9-i) {
			t.Errorf("version %d at %d", v.Version, i)
		}
	}
	w.sound()
}

func TestT32ABudgetOfBytesHolds(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	run.Workspace.Settings.Budgets.StoredBytes = ptr(int64(20))
	w.save(run, "a", "sixteen letters.")
	w.refuses(run, "BUDGET_EXHAUSTED", "a", "more")
}

func TestAClockThatStepsBackLosesNoRow(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "a", "old")
	w.clock.Advance(-time.Hour)
	w.save(run, "a", "new", replacing(f.ID))
	w.clock.Advance(-time.Second) // to the very millisecond
	w.save(run, "a", "newest", replacing(f.ID))
	w.wantTexts(run, "", "newest")
	w.sound()
}
