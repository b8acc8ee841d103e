package fact

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestS329ADeletedFactIsGoneWithItsHistory(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	f := w.save(run, "users/anna", "melon one")
	w.save(run, "users/anna/b", "melon again", replacing(f.ID))
	if _, err := w.Delete(t.Context(), run, f.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.Get(t.Context(), run, f.ID)
	wantCode(t, err, "NOT_FOUND")
	_, _, err = w.Versions(t.Context(), run, f.ID)
	wantCode(t, err, "NOT_FOUND")
	_, err = w.Delete(t.Context(), run, f.ID)
	wantCode(t, err, "NOT_FOUND")
	w.refuses(run, "NOT_FOUND", "users/anna", "x", replacing(f.ID))
	w.wantTexts(run, "")
	w.wantFound(run, "", f.ID, false)
	w.wantOps(f.ID, ledger.Create, ledger.Update, ledger.Delete)
	w.work()
	if left := w.texting("melon"); len(left) > 0 {
		t.Errorf("the text is still in %v", left)
	}
	w.sound()
}

// texting are the rows that hold a text.
func (w *world) texting(text string) []string {
	var out []string
	for key, item := range w.rows() {
		for _, v := range item.Attrs {
			if strings.Contains(v.S, text) || strings.Contains(string(v.B), text) {
				out = append(out, key.PK+" / "+key.SK)
			}
		}
	}
	return out
}

func TestS321R323AnErasedUserLeavesNothing(t *testing.T) {
	w := newWorld(t)
	anna, ben, people := w.as("anna"), w.as("ben"), w.panel("desk")
	f := w.save(anna, "users/{user}", "peach one")
	w.save(anna, "users/{user}/deep", "peach two", replacing(f.ID))
	held := w.save(anna, "users/{user}/quokka", hostile)
	w.save(ben, "users/{user}", "plum of ben")
	w.save(anna, "notes", "plum of all")
	shop := w.run(runtoken.Ask{AgentID: "shop", UserID: "anna"})
	w.save(shop, "users/{user}", "plum of the shop")
	before := len(w.log())
	if _, err := w.EraseUser(t.Context(), people, "anna"); err != nil {
		t.Fatal(err)
	}
	if rows := w.log()[before:]; len(rows) != 1 || rows[0].Entry.Op != ledger.Delete || rows[0].Kind != ledger.ErasureReceipt || rows[0].Actor != admin {
		t.Errorf("log rows %+v", rows)
	}
	for range 2 { // from the first commit on, and when the rows are gone
		later := w.as("anna")
		w.wantTexts(later, "users/{user}")
		w.wantTexts(later, "", "plum of all")
		w.wantTexts(people, "", "plum of all", "plum of ben")
		w.wantTexts(people, "users", "plum of ben")
		w.wantTexts(people, "users/anna")
		w.wantTexts(shop, "", "plum of the shop")
		for _, target := range []Target{anna, later, people} {
			_, err := w.Get(t.Context(), target, f.ID)
			wantCode(t, err, "NOT_FOUND")
			_, err = w.Delete(t.Context(), target, f.ID)
			wantCode(t, err, "NOT_FOUND")
		}
		w.refuses(anna, "NOT_FOUND", "users/anna", "x", replacing(f.ID))
		w.wantFound(later, "", f.ID, false)
		w.sound()
		w.work()
	}
	if left := append(w.texting("peach"), w.texting("quokka")...); len(left) > 0 {
		t.Errorf("the texts are still in %v", left)
	}
	w.wantOps(f.ID, ledger.Create, ledger.Update, ledger.Erase)
	w.wantOps(held.ID, ledger.Quarantine, ledger.Erase)
	if anew := w.save(anna, "users/{user}", "anew"); anew.Version != 1 || anew.Generation != 2 {
		t.Errorf("%+v", anew)
	}
	w.wantTexts(anna, "users", "anew")
	w.sound()
}

func TestR323ErasingAUserOfWhomNothingIsThere(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	for range 2 {
		if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil {
			t.Fatal(err)
		}
	}
	f := w.save(run, "users/{user}", "x")
	if _, err := w.Delete(t.Context(), run, f.ID); err != nil {
		t.Fatal(err)
	}
	w.work()
	if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil || len(w.jobs()) != 0 {
		t.Errorf("jobs %v, %v", w.jobs(), err)
	}
	if rows := w.log(); rows[len(rows)-1].Entry.Op != ledger.Erase {
		t.Errorf("%+v", rows[len(rows)-1])
	}
	for _, id := range []string{"", "a/b", "{user}", ".."} {
		if _, err := w.EraseUser(t.Context(), w.panel("desk"), id); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", id, err)
		}
	}
	w.sound()
}

// Writers of a folder that is erased while they write: what is answered as saved after
// the erasure stays, nothing else does.
func TestR323AnErasureAmongWriters(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	old := w.save(run, "users/anna", "old")
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for i := range 10 {
				if _, err := w.Save(context.Background(), run, draft("users/anna", strconv.Itoa(n*100+i))); err != nil {
					t.Error(err)
				}
				_, err := w.Save(context.Background(), run, draft("users/anna", "next", replacing(old.ID)))
				if err != nil && !errs.Is(err, errs.NotFound) {
					t.Error(err)
				}
			}
		})
	}
	group.Go(func() {
		for range 3 {
			if _, err := w.EraseUser(context.Background(), w.panel("desk"), "anna"); err != nil {
				t.Error(err)
			}
		}
	})
	group.Wait()
	w.sound()
	w.work()
	w.sound()
	hash, err := w.userHash(t.Context(), scope, "anna")
	if err != nil {
		t.Fatal(err)
	}
	if item := w.rows()[keys.FactUser(scope, OfAgent("desk").Hash(), hash)]; item.Attrs.Int(attrFolder) < 2 || int(item.Attrs.Int(attrFacts)) != len(w.texts(run, "")) {
		t.Errorf("%+v", item)
	}
	for _, f := range w.texts(run, "") {
		if f == "old" {
			t.Error("what was there before the erasure is there still")
		}
	}
}

// A clearing that breaks off anywhere goes on from there.
func TestR323AClearingThatBreaksOffGoesOn(t *testing.T) {
	for at := range 9 {
		w := newWorld(t)
		run := w.as("anna")
		for n := range 100 {
			f := w.save(run, "users/anna/"+strconv.Itoa(n%3), "quokka "+strconv.Itoa(n))
			if n%10 == 0 {
				w.save(run, "users/anna", "quokka again", replacing(f.ID))
			}
		}
		if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil {
			t.Fatal(err)
		}
		left := at
		broken := errors.New("broken")
		c := w.clearing(w.jobs()[0])
		c.Copies = func(_ context.Context, ids []string) error {
			for _, id := range ids {
				if !w.head(id).Deleted {
					t.Errorf("%s is no tombstone yet", id)
				}
			}
			if left--; left < 0 {
				return broken
			}
			return nil
		}
		drop := c.Drop
		c.Drop = func(ctx context.Context, gone []store.Key) error {
			if left--; left < 0 {
				return broken
			}
			return drop(ctx, gone)
		}
		if err := c.Run(t.Context()); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		w.wantTexts(w.panel("desk"), "")
		w.work()
		w.sound()
		if left := w.texting("quokka"); len(left) > 0 {
			t.Errorf("left in %v", left)
		}
	}
}

func TestS357AnExperimentHasAMemoryOfItsOwn(t *testing.T) {
	w := newWorld(t)
	real := w.as("")
	kept := w.save(real, "a", "real grape")
	root, err := w.runs.Start(t.Context(), scope, agent, runtoken.Ask{AgentID: "desk", UserID: "anna", Experiment: true})
	if err != nil {
		t.Fatal(err)
	}
	trial := OfRun(root.Run, w.workspace)
	child := w.run(runtoken.Ask{AgentID: "other", UserID: "anna", ParentID: root.ID})
	w.wantTexts(trial, "")
	_, err = w.Get(t.Context(), trial, kept.ID)
	wantCode(t, err, "NOT_FOUND")
	f := w.save(trial, "a", "quokka by the parent")
	w.save(child, "users/{user}", "quokka by the child")
	w.save(child, "a", "quokka again", replacing(f.ID))
	w.wantTexts(trial, "", "quokka again", "quokka by the child")
	_, err = w.Get(t.Context(), real, f.ID)
	wantCode(t, err, "NOT_FOUND")
	w.wantTexts(w.panel("desk"), "", "real grape")
	if _, err := w.runs.End(t.Context(), scope, agent, root.ID); err != nil {
		t.Fatal(err)
	}
	w.refuses(trial, "INVOCATION_ENDED", "a", "late") // though its target was made in time
	w.refuses(child, "INVOCATION_ENDED", "a", "late")
	w.sound()
	w.work()
	w.sound()
	if left := w.texting("quokka"); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
	for key := range w.rows() {
		if strings.Contains(key.PK, OfExperiment(root.ID).Hash()) {
			t.Errorf("left: %s / %s", key.PK, key.SK)
		}
	}
	w.wantTexts(trial, "")
	w.wantTexts(real, "", "real grape")
}

func TestR322TheCleanerEndsWhatCrashed(t *testing.T) {
	w := newWorld(t)
	trial := w.run(runtoken.Ask{Experiment: true})
	w.save(trial, "a", "quokka")
	cleaner := &runtoken.Cleaner{Runs: w.runs}
	if n, err := cleaner.Run(t.Context()); n != 0 || err != nil {
		t.Fatalf("ended %d before their time, %v", n, err)
	}
	w.clock.Advance(runtoken.Lifetime)
	if n, err := cleaner.Run(t.Context()); n != 1 || err != nil {
		t.Fatalf("ended %d, %v", n, err)
	}
	w.refuses(trial, "INVOCATION_ENDED", "a", "late")
	w.work()
	if left := w.texting("quokka"); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
	w.sound()
}
