package fact

import (
	"context"
	"strings"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// A fact whose rows are put back after its erasure becomes a tombstone again, without
// being taken off any count.
func TestT26AFactThatIsThereAgainIsBuried(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	f, kept := w.save(run, "users/anna/a", "melon"), w.save(run, "users/anna", "plum")
	rows := w.rows()
	if _, err := w.Delete(t.Context(), run, f.ID); err != nil {
		t.Fatal(err)
	}
	w.work()
	w.sound()
	for key, item := range rows {
		if strings.Contains(key.PK+key.SK, f.ID) {
			w.tell(store.PutItem("", item, nil))
		}
	}
	mark := store.PutItem("mark", store.Item{Key: keys.ErasureStep(scope, f.ID, 0), Attrs: store.Attrs{"n": store.N(1)}}, store.IfAbsent())
	for range 2 { // the second finds a tombstone, and writes nothing
		for _, id := range []string{f.ID, w.IDs.NewFact(), "no id"} {
			if err := w.BuryAgain(t.Context(), scope, id, mark); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.sound()
	w.wantTexts(run, "", "plum")
	w.wantOps(f.ID, ledger.Create, ledger.Delete, ledger.Delete)
	w.wantOps(kept.ID, ledger.Create)
	if left := w.texting("melon"); len(left) > 0 || !w.head(f.ID).Deleted {
		t.Errorf("left in %v", left)
	}
}

// tell commits an action beside the service.
func (w *world) tell(action store.Action) {
	w.t.Helper()
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{action}}); err != nil {
		w.t.Fatal(err)
	}
}

// Whoever writes over a fact that is there again is either before its burial, and goes
// with it, or is refused.
func TestT26ABurialAmongWriters(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "a", "melon")
	rows := w.rows()
	if _, err := w.Delete(t.Context(), run, f.ID); err != nil {
		t.Fatal(err)
	}
	for key, item := range rows {
		if strings.Contains(key.PK+key.SK, f.ID) {
			w.tell(store.PutItem("", item, nil))
		}
	}
	done := make(chan error, 1)
	go func() {
		var err error
		for err == nil {
			_, err = w.Save(t.Context(), run, draft("a", "melon again", replacing(f.ID)))
		}
		done <- err
	}()
	if err := w.BuryAgain(t.Context(), scope, f.ID); err != nil {
		t.Fatal(err)
	}
	wantCode(t, <-done, "NOT_FOUND")
	w.wantTexts(run, "")
	if !w.head(f.ID).Deleted {
		t.Error("it is there")
	}
}
