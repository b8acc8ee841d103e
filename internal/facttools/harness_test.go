package facttools

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
	"holdfast/internal/ids"
	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/search/words/memwords"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var (
	start = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	scope = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000b")
	actor = ledger.Actor{KeyID: "agent-key", Kind: "agent", SourceID: "desk"}
)

// world is a workspace with facts, searched over an index that nothing was written to:
// the log rows are laid over it.
type world struct {
	*Service
	t       *testing.T
	clock   *clock.Fixed
	facts   *fact.Service
	runs    *runtoken.Service
	journal *journal
	logged  bytes.Buffer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s := memstore.New()
	item := store.Item{Key: keys.Secret(scope), Attrs: store.Attrs{keyed.AttrKey: store.B(bytes.Repeat([]byte{7}, 32))}}
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, clock: clock.NewFixed(start), journal: &journal{}}
	source := ids.NewSource(w.clock.Now, nil)
	commits := commit.New(commit.Config{Store: s, Clock: w.clock, IDs: source, Log: slog.New(slog.DiscardHandler),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	w.facts = fact.New(fact.Deps{Store: s, IDs: source, Commit: commits})
	w.runs = &runtoken.Service{Store: s, Clock: w.clock, IDs: source, Commit: commits}
	w.Service = &Service{Facts: w.facts, Log: slog.New(slog.NewTextHandler(&w.logged, nil)), Finder: &factsearch.Service{
		Facts: w.facts, Store: s, Index: memwords.New(w.clock), Cursors: unmoved{}, Journal: w.journal, Clock: w.clock, IDs: source,
	}}
	return w
}

// unmoved is the cursor of an index that has reached nothing.
type unmoved struct{}

func (unmoved) Cursor(context.Context, tenant.Scope) (int64, error) { return 0, nil }

type journal struct {
	ledger.Journal
	receipts []ledger.Receipt
	fail     error
}

func (j *journal) Append(_ context.Context, _ tenant.Scope, r ledger.Receipt) error {
	j.receipts = append(j.receipts, r)
	return j.fail
}

func (w *world) run(user string) fact.Target {
	w.t.Helper()
	r, err := w.runs.Start(w.t.Context(), scope, actor, runtoken.Ask{AgentID: "desk", UserID: user})
	if err != nil {
		w.t.Fatal(err)
	}
	return fact.OfRun(r.Run, tenant.Workspace{Settings: tenant.DefaultSettings()})
}

// save stores a fact a second later than the one before.
func (w *world) save(t fact.Target, path, text string) *fact.Fact {
	w.t.Helper()
	w.clock.Advance(time.Second)
	saved, err := w.facts.Save(w.t.Context(), t, fact.Draft{Path: &path, Text: &text})
	if err != nil {
		w.t.Fatal(err)
	}
	return saved.Fact
}

func (w *world) get(t fact.Target, id string) *fact.Fact {
	f, err := w.facts.Get(w.t.Context(), t, id)
	if err != nil {
		return nil
	}
	return f
}

// object is a call's arguments.
type object map[string]any

// call answers what a model is told.
func (w *world) call(t fact.Target, paths []string, tool string, arguments any) string {
	w.t.Helper()
	text, ok := arguments.(string)
	if !ok {
		raw, err := json.Marshal(arguments)
		if err != nil {
			w.t.Fatal(err)
		}
		text = string(raw)
	}
	m, err := w.Call(w.t.Context(), CallQuery{Target: t, Paths: paths, RequestHash: "hash",
		Call: Call{ID: "call_1", Type: "function", Function: CallFunction{Name: tool, Arguments: text}}})
	if err != nil {
		w.t.Fatalf("%s %s: %v", tool, text, err)
	}
	if m.Role != "tool" || m.ToolCallID != "call_1" {
		w.t.Errorf("%+v", m)
	}
	return m.Content
}

func (w *world) block(t fact.Target, text string, paths ...string) string {
	w.t.Helper()
	out, err := Block(w.t.Context(), w.Finder, BlockQuery{Target: t, Text: text, Paths: paths, RequestHash: "hash"})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}
