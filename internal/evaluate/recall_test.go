package evaluate

import (
	"bytes"
	"context"
	"log/slog"
	"reflect"
	"slices"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/embed/hashembed"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/recall"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// world is one workspace with the real recall.
type world struct {
	Service
	t        *testing.T
	clock    *clock.Fixed
	memories *memory.Service
	indexer  *work.Indexer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, c, log := memstore.New(), clock.NewFixed(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)), slog.New(slog.DiscardHandler)
	secret := store.Item{Key: keys.Secret(here), Attrs: store.Attrs{"key": store.B(bytes.Repeat([]byte{7}, 32))}}
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("secret", secret, nil)}}); err != nil {
		t.Fatal(err)
	}
	source, model, index, cursors := ids.NewSource(c.Now, nil), hashembed.New(256), memsearch.New(c), work.NewMemoryCursors()
	commits := commit.New(commit.Config{Store: s, Clock: c, IDs: source, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	memories := memory.New(memory.Deps{Store: s, Commit: commits, Embedder: model, IDs: source, Clock: c})
	w := &world{t: t, clock: c, memories: memories, indexer: &work.Indexer{Store: s, Index: index, Cursors: cursors,
		Projectors: map[string]work.Projector{memory.Family: work.Memories{Store: s, Profile: model.Profile().Name()}}}}
	// No journal: a receipt would be a nil call.
	w.Recall = &recall.Service{Store: s, Index: index, Embedder: model, Cursors: cursors, Memories: memories, Clock: c, IDs: source, Log: log}
	return w
}

func (w *world) add(d memory.Draft) string {
	w.t.Helper()
	w.clock.Advance(time.Second)
	a, err := w.memories.Append(w.t.Context(), memory.Target{
		Scope: here, Caller: memory.Caller{Actor: ledger.Actor{KeyID: "key", Kind: "person"}, Tenant: true},
		Workspace: tenant.Workspace{ID: here.WorkspaceID(), Settings: tenant.DefaultSettings(), CreatedAt: w.clock.Now()},
	}, d)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.ID
}

func (w *world) fact(text string) string {
	w.t.Helper()
	return w.add(memory.Draft{Layer: "Workspace", Type: "fact", Content: text})
}

func (w *world) run(p Plan) Report {
	w.t.Helper()
	if err := w.indexer.Sync(w.t.Context(), here); err != nil {
		w.t.Fatal(err)
	}
	p.Scope = here
	r, err := w.Run(w.t.Context(), p)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func TestR056FiguresTellRightFromWrong(t *testing.T) {
	w := newWorld(t)
	bell, soup := w.fact("The fog bell rings every thirty seconds."), w.fact("Pumpkin soup is on the menu in October.")
	w.add(memory.Draft{Layer: "Tenant", Type: "policy", Content: "The fog bell is never muted.", NonNegotiable: true})
	plan := func(bellID, soupID string) Plan {
		return Plan{K: 1, Cases: []Case{
			{"How often does the fog bell ring?", []string{bellID}}, {"When is pumpkin soup on the menu?", []string{soupID}},
		}}
	}
	good, bad := w.run(plan(bell, soup)), w.run(plan(soup, bell))
	for i, want := range []string{bell, soup} {
		if got := good.Cases[i].ReturnedIDs; !slices.Equal(got, []string{want}) {
			t.Errorf("case %d returned %v, want %s", i, got, want)
		}
	}
	for report, want := range map[*Report]float64{&good: 1, &bad: 0} {
		o := report.Overall
		for _, got := range []*float64{o.HitRate, o.Precision, o.Recall, o.MRR, o.NDCG} {
			if !near(got, want) {
				t.Errorf("overall %v, want %v", show(got), want)
			}
		}
		if o.Abstention != nil {
			t.Errorf("abstention %v with no case to count", *o.Abstention)
		}
	}
	if again := w.run(plan(bell, soup)); !reflect.DeepEqual(again, good) {
		t.Errorf("the same again: %+v, was %+v", again, good)
	}
}

func TestR056DeterministicModeAbstainsOnUnknownWords(t *testing.T) {
	w := newWorld(t)
	bell := w.fact("The fog bell rings every thirty seconds.")
	unknown, known := Case{Query: "xyzzy plugh"}, Case{Query: "How often does the fog bell ring?"}
	expected := Case{known.Query, []string{bell}}
	for _, c := range []struct {
		name  string
		plan  Plan
		abs   float64
		found float64
	}{
		{"unknown words", Plan{K: 3, Cases: []Case{expected, unknown}}, 1, 1},
		{"known words", Plan{K: 3, Cases: []Case{known}}, 0, -1},
		{"no words at all", Plan{K: 3, Cases: []Case{{Query: "what is it?"}}}, 1, -1},
		{"vectors find anything", Plan{K: 3, Mode: recall.Hybrid, Cases: []Case{unknown}}, 0, -1},
		{"unless a least score is asked for", Plan{K: 3, Mode: recall.Hybrid, MinScore: .3, Cases: []Case{expected, unknown}}, 1, 1},
	} {
		o := w.run(c.plan).Overall
		if !near(o.Abstention, c.abs) || !near(o.HitRate, c.found) || !near(o.MRR, c.found) {
			t.Errorf("%s: abstention %v, hit rate %v, reciprocal rank %v", c.name, show(o.Abstention), show(o.HitRate), show(o.MRR))
		}
	}
}

func TestAnEvaluationSeesWhatItsSubjectSees(t *testing.T) {
	w := newWorld(t)
	ida := "ida"
	own := w.add(memory.Draft{Layer: "Workspace", Type: "preference", Content: "Likes the early ferry.", UserID: &ida})
	for user, want := range map[string]float64{ida: 1, "bo": 0, "": 0} {
		o := w.run(Plan{K: 5, Subject: memory.Subject{UserID: user}, Cases: []Case{{"early ferry", []string{own}}}}).Overall
		if !near(o.HitRate, want) {
			t.Errorf("as %q: hit rate %v, want %v", user, show(o.HitRate), want)
		}
	}
}
