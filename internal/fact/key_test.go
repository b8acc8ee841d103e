package fact

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/runtoken"
	"holdfast/internal/store/keys"
)

func TestS331R38TheSameKeyAnswersWhatWasWrittenFirst(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	first := w.save(run, "users/{user}", "as written", keyedBy("k"), tagged("t"))
	w.save(run, "users/anna/b", "changed later", replacing(first.ID))
	want := *first
	for name, d := range map[string]Draft{
		"the same":    draft("users/{user}", "as written", keyedBy("k"), tagged("t")),
		"another":     draft("c", "other", keyedBy("k")),
		"a bad one":   draft("a//b", "", keyedBy("k"), by("person")),
		"a foreign":   draft("users/ben", "x", keyedBy("k")),
		"replacing":   draft("a", "x", keyedBy("k"), replacing("m_unknown")),
		"nothing":     {Key: ptr("k")},
		"of too much": draft("a", "x", keyedBy("k"), sure(7)),
	} {
		again, err := w.Save(t.Context(), run, d)
		if err != nil || !again.Repeated || !reflect.DeepEqual(again.Edition, want.Edition) || again.ID != want.ID {
			t.Errorf("%s: %+v, %v", name, again.Fact, err)
		}
	}
	w.wantTexts(run, "", "changed later")
	if other := w.save(w.as("anna"), "a", "another run's", keyedBy("k")); other.ID == first.ID {
		t.Error("a key of one run answers another")
	}
	w.sound()
}

func TestR38AKeyUsedWithReplacesReplacesOnce(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "a", "one")
	w.save(run, "a", "two", replacing(f.ID), keyedBy("k"))
	again, err := w.Save(t.Context(), run, draft("a", "two", replacing(f.ID), keyedBy("k")))
	if err != nil || !again.Repeated || again.Version != 2 || w.head(f.ID).Version != 2 {
		t.Errorf("%+v, %v", again.Fact, err)
	}
}

func TestR39R328AKeyOfWhatIsGoneIsMissingForEver(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	deleted, erased := w.save(run, "a", "gone soon", keyedBy("deleted")), w.save(run, "users/{user}", "gone too", keyedBy("erased"))
	w.save(run, "a", "stays")
	if _, err := w.Delete(t.Context(), run, deleted.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // before the rows go and after
		for _, key := range []string{"deleted", "erased"} {
			for _, text := range []string{"gone soon", "other", ""} {
				w.refuses(run, "NOT_FOUND", "a", text, keyedBy(key))
			}
		}
		w.work()
	}
	w.wantTexts(run, "", "stays")
	if w.head(erased.ID).Text != "" {
		t.Error("the key holds on to the text")
	}
}

func TestF18ManyCallsWithOneKeySaveOneFact(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	var group sync.WaitGroup
	var mu sync.Mutex
	made, id := 0, ""
	for range 8 {
		group.Go(func() {
			saved, err := w.Save(context.Background(), run, draft("a", "once", keyedBy("k")))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || id != "" && saved.ID != id {
				t.Errorf("%+v, %v", saved.Fact, err)
				return
			}
			if id = saved.ID; !saved.Repeated {
				made++
			}
		})
	}
	group.Wait()
	if made != 1 {
		t.Errorf("%d calls answered that they had saved", made)
	}
	w.wantTexts(run, "", "once")
}

func TestAKeyGoesWithTheTokenOfItsRun(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	f := w.save(run, "a", "once", keyedBy("k"))
	item, found, err := w.Store.Get(t.Context(), keys.FactKey(scope, run.RunID, keys.Hash("k")))
	if err != nil || !found || item.Expires.Before(f.CreatedAt.Add(runtoken.Lifetime)) {
		t.Errorf("%+v, %v", item, err)
	}
	if _, err := w.Save(t.Context(), run, draft("a", "x", keyedBy("not a key"))); !errs.Is(err, errs.Invalid) {
		t.Error(err)
	}
}
