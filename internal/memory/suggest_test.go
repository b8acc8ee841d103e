package memory

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store/faultstore"
)

// indexed is an index of the world's live memories.
func (w *world) indexed() *memsearch.Index {
	w.t.Helper()
	index := memsearch.New(w.clock)
	page, err := w.List(context.Background(), w.as(reviewer), Filter{}, 100, "")
	if err != nil {
		w.t.Fatal(err)
	}
	profile := w.model.Profile().Name()
	var ops []search.Op
	for i, m := range page.Entries {
		v, err := LoadVectors(context.Background(), w.Store, w.scope, []string{m.ID}, profile)
		if err != nil {
			w.t.Fatal(err)
		}
		ops = append(ops, search.Op{Document: Document(w.scope, m, int64(i+1), v[0].Values, profile)})
	}
	for _, err := range index.Apply(context.Background(), ops) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return index
}

func (w *world) alike(index search.Index, list ...string) []Pair {
	w.t.Helper()
	pairs, err := w.Alike(context.Background(), w.as(agent), index, list)
	if err != nil {
		w.t.Fatal(err)
	}
	return pairs
}

const (
	quay      = "The long stone quay behind the old grain mill was rebuilt by the town in spring."
	quayAgain = "The long stone quay behind the old grain mill was rebuilt by the town in autumn."
)

func TestA01WhatLooksTheSameIsSuggestedAndNotMerged(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.MergeThreshold = .7
	one, two := w.add(quay), w.add(quayAgain)
	for _, with := range []func(*Draft){ofType("decision"), ofUser("ada"), inRun("r"), func(d *Draft) { d.Layer = "Session"; d.RunID = ptr("q") }} {
		w.add(quayAgain, with)
	}
	w.add("Herring is sold at the south gate.")
	over := w.add("The long stone quay behind the old grain mill was rebuilt by the town in winter.", func(d *Draft) {
		d.ValidTo = ptr(w.clock.Now().Add(time.Hour))
	})
	held := w.add("The long stone quay behind the old grain mill was rebuilt by the town in May. " + hostile)
	w.clock.Advance(2 * time.Hour)
	index := w.indexed()
	pairs := w.alike(index, one, two, one, over, held, "no id")
	if len(pairs) != 1 || pairs[0].ID != one || pairs[0].Other != two || pairs[0].Cosine < .7 || pairs[0].Cosine > .9999 {
		t.Errorf("%+v", pairs)
	}
	w.workspace.Settings.MergeThreshold = 1
	if pairs := w.alike(index, one); len(pairs) != 0 {
		t.Errorf("below the threshold: %+v", pairs)
	}
}

func TestA01EqualWordsAreNoSuggestion(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.MergeThreshold = .7
	one := w.append(person, fact(quay)).ID
	two := w.add("The long, stone quay behind the old grain mills was rebuilt by the town in spring.")
	if one == two {
		t.Fatal("what is trusted less replaced a text")
	}
	if pairs := w.alike(w.indexed(), one, two); len(pairs) != 0 {
		t.Errorf("%+v", pairs)
	}
}

func TestA01SuggestionsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.MergeThreshold = .7
	first := w.add(quay)
	for n := range 15 {
		w.add(quay[:len(quay)-1] + " " + strconv.Itoa(n+1900) + ".")
	}
	if pairs := w.alike(w.indexed(), first); len(pairs) != MaxAlike {
		t.Errorf("%d pairs", len(pairs))
	}
}

type brokenIndex struct{ search.Index }

func (brokenIndex) Search(context.Context, search.Query) (search.Answer, error) {
	return search.Answer{SemanticErr: search.ErrUnavailable}, nil
}

func TestSuggestionsThatCannotBeReadAreUnavailable(t *testing.T) {
	s := faultstore.New(filled(t))
	w := worldOver(t, s)
	one := w.add(quay)
	w.add(quayAgain)
	index := w.indexed()
	if _, err := w.Alike(t.Context(), w.as(agent), brokenIndex{index}, []string{one}); !errs.Is(err, errs.Unavailable) || !errors.Is(err, search.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	for at := 1; ; at++ {
		s.Arm(faultstore.Fault{At: at})
		_, err := w.Alike(t.Context(), w.as(agent), index, []string{one})
		if s.Fired() == 0 {
			if err != nil || at < 5 {
				t.Errorf("%d calls, %v", at, err)
			}
			break
		}
		if !errs.Is(err, errs.Unavailable) {
			t.Errorf("call %d: %v", at, err)
		}
		s.Disarm()
	}
}
