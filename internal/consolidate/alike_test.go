package consolidate_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/embed/hashembed"
	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// indexed brings what is known into an index, as the index worker does.
func (w *world) indexed(x search.Index) {
	w.t.Helper()
	profile := hashembed.New(64).Profile().Name()
	for i, m := range w.list(memory.Filter{Layer: memory.Workspace}) {
		vectors, err := memory.LoadVectors(context.Background(), w.Store, scope, []string{m.ID}, profile)
		if err != nil {
			w.t.Fatal(err)
		}
		op := search.Op{Document: memory.Document(scope, m, int64(i+1), vectors[0].Values, profile)}
		if err := errors.Join(x.Apply(context.Background(), []search.Op{op})...); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestA01WhatLooksTheSameIsSuggested(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.MergeThreshold = 0.8
	x := memsearch.New(w.clock)
	w.Index = x
	known := w.know("The archive of the old harbour office in Faro closes at six every single day.")
	w.know("The archive of the old harbour office in Faro closes at nine every single day.", ofUser("ida")) // somebody else's
	w.know("Penguins eat fish.")
	w.indexed(x)
	w.say("run-1", "The archive of the old harbour office in Faro closes at five every single day.")
	w.say("run-1", "The kiln is fired with gas.")
	w.end("run-1")
	got, err := run.Suggestions(t.Context(), w.Store, scope, w.run("run-1").Hash, 1)
	want := run.Suggestion{MadeID: w.derived()[0].ID, OtherID: known, EpisodeID: w.episodes()[0].ID}
	if len(got) == 1 && got[0].Cosine > 0.9 && got[0].Cosine < 1 {
		want.Cosine = got[0].Cosine
	}
	if err != nil || !slices.Equal(got, []run.Suggestion{want}) || want.Cosine == 0 {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if m := w.there(known); m.MergeCount != 0 {
		t.Error("merged")
	}
}

// silent is an index that does not answer.
type silent struct{ search.Index }

func (silent) Search(context.Context, search.Query) (search.Answer, error) {
	return search.Answer{}, search.ErrUnavailable
}

func TestWithoutTheIndexThereAreNoSuggestions(t *testing.T) {
	w := newWorld(t)
	w.Index = silent{}
	w.talk("run-1")
	w.end("run-1")
	if got, err := run.Suggestions(t.Context(), w.Store, scope, w.run("run-1").Hash, 1); err != nil || len(got) != 0 || len(w.derived()) != 4 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A fault at any store call leaves the suggestion once, with its rows at all three, or,
// where it struck what is alike being looked up, none of it.
func TestT17AFaultedConsolidationSuggestsOnce(t *testing.T) {
	t.Parallel()
	var raw store.Store
	var c *clock.Fixed
	var x *memsearch.Index
	var known string
	kept := 0
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		c, raw = clock.NewFixed(start), filled(t)
		x = memsearch.New(c)
		w := worldOver(t, raw, c)
		known = w.know("The archive of the old harbour office in Faro closes at six every single day.")
		w.indexed(x)
		w.say("run-1", "The archive of the old harbour office in Faro closes at five every single day.")
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		open := func(s store.Store) *world {
			w := worldOver(t, s, c)
			w.workspace.Settings.MergeThreshold, w.Index = 0.8, x
			return w
		}
		w := open(s)
		for range 3 {
			if err := w.ask(); err == nil {
				break
			}
			c.Advance(lease + held)
		}
		w.tryToWork()
		s.Disarm()
		w = open(raw)
		c.Advance(lease + held)
		w.work()
		made, episode := w.derived()[0].ID, w.episodes()[0].ID
		got, err := run.Suggestions(t.Context(), raw, scope, w.run("run-1").Hash, 1)
		for i := range got {
			got[i].Cosine = 0
		}
		if one := (run.Suggestion{MadeID: made, OtherID: known, EpisodeID: episode}); err != nil || len(got) > 1 || len(got) == 1 && got[0] != one {
			t.Fatalf("%+v, %v, want %+v", got, err, one)
		}
		kept += len(got)
		for _, id := range []string{made, known, episode} {
			if parts, err := memory.LoadParts(t.Context(), raw, scope, id); err != nil || len(parts.Suggested) != len(got) {
				t.Errorf("%+v, %v", parts, err)
			}
		}
	})
	if kept < 100 {
		t.Errorf("only %d were kept, so this proves little", kept)
	}
}

// What is deleted before its suggestion is kept is in none.
func TestA01NoSuggestionNamesWhatIsGone(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.MergeThreshold = 0.8
	x := memsearch.New(w.clock)
	known := w.know("The archive of the old harbour office in Faro closes at six every single day.")
	w.indexed(x)
	w.Index = meddling{x, func() {
		if _, err := w.Memories.Delete(t.Context(), w.as(agent), memory.Removal{ID: known}); err != nil {
			t.Error(err)
		}
	}}
	w.say("run-1", "The archive of the old harbour office in Faro closes at five every single day.")
	w.end("run-1")
	if got, err := run.Suggestions(t.Context(), w.Store, scope, w.run("run-1").Hash, 1); err != nil || len(got) != 0 || len(w.derived()) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// meddling is an index after whose answer something happens.
type meddling struct {
	search.Index
	then func()
}

func (m meddling) Search(ctx context.Context, q search.Query) (search.Answer, error) {
	defer m.then()
	return m.Index.Search(ctx, q)
}
