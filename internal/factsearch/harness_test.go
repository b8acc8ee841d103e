package factsearch

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/search/words"
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
	errUp = errors.New("down")
)

// world is a workspace with facts, an index of words and what brings it up to the log.
type world struct {
	*Service
	t       testing.TB
	clock   *clock.Fixed
	facts   *fact.Service
	runs    *runtoken.Service
	index   *index
	cursor  *cursor
	journal *journal
	waits   int
}

func newWorld(t testing.TB) *world { return worldOver(t, memstore.New()) }

func worldOver(t testing.TB, s store.Store) *world {
	t.Helper()
	item := store.Item{Key: keys.Secret(scope), Attrs: store.Attrs{keyed.AttrKey: store.B(bytes.Repeat([]byte{7}, 32))}}
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, clock: clock.NewFixed(start), cursor: &cursor{}, journal: &journal{}}
	source := ids.NewSource(w.clock.Now, nil)
	commits := commit.New(commit.Config{Store: s, Clock: w.clock, IDs: source, Log: slog.New(slog.DiscardHandler),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	w.facts = fact.New(fact.Deps{Store: s, IDs: source, Commit: commits})
	w.runs = &runtoken.Service{Store: s, Clock: w.clock, IDs: source, Commit: commits}
	w.index = &index{Index: memwords.New(w.clock)}
	w.Service = &Service{
		Facts: w.facts, Store: s, Index: w.index, Cursors: w.cursor, Journal: w.journal, Clock: w.clock, IDs: source,
		Log: slog.New(slog.DiscardHandler), CatchUp: func(ctx context.Context, _ tenant.Scope) error { return w.sync(ctx) },
		Wait: func(ctx context.Context, _ time.Duration) error { w.waits++; return ctx.Err() },
	}
	return w
}

// sync is what the index worker does.
func (w *world) sync(ctx context.Context) error {
	rows, err := ledger.Log{Store: w.Store}.Rows(ctx, scope, w.cursor.at+1, 10_000)
	if err != nil {
		return err
	}
	latest := map[string]int64{}
	var list []string
	for _, row := range rows {
		if e := row.Entry; e.Recall && e.Family == fact.Family {
			if _, seen := latest[e.ItemID]; !seen {
				list = append(list, e.ItemID)
			}
			latest[e.ItemID] = row.Sequence
		}
	}
	ops, err := Project(ctx, fact.Projector{Facts: w.facts}, scope, list)
	if err != nil {
		return err
	}
	for i := range ops {
		ops[i].Document.Sequence = latest[ops[i].Document.ID]
	}
	if err := errors.Join(w.index.Apply(ctx, ops)...); err != nil {
		return err
	}
	w.cursor.at += int64(len(rows))
	return nil
}

// detached makes the index one of another process, which nobody brings up to the log
// but sync.
func (w *world) detached() *world {
	w.CatchUp = nil
	return w
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
func (w *world) save(t fact.Target, path, text string, with ...func(*fact.Draft)) *fact.Fact {
	w.t.Helper()
	w.clock.Advance(time.Second)
	d := fact.Draft{Path: &path, Text: &text}
	for _, change := range with {
		change(&d)
	}
	saved, err := w.facts.Save(w.t.Context(), t, d)
	if err != nil {
		w.t.Fatal(err)
	}
	return saved.Fact
}

func tagged(tags ...string) func(*fact.Draft) {
	return func(d *fact.Draft) { d.Tags = fact.Given(tags) }
}
func replacing(id string) func(*fact.Draft) { return func(d *fact.Draft) { d.Replaces = &id } }

// ask searches and answers the texts in order.
func (w *world) ask(t fact.Target, text string, with ...func(*Query)) []string {
	w.t.Helper()
	q := Query{Target: t, Text: text}
	for _, change := range with {
		change(&q)
	}
	hits, err := w.Search(w.t.Context(), q)
	if err != nil {
		w.t.Fatalf("search: %v", err)
	}
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Text)
	}
	return out
}

func under(path string) func(*Query)     { return func(q *Query) { q.Path = path } }
func having(tags ...string) func(*Query) { return func(q *Query) { q.Tags = tags } }
func most(k int) func(*Query)            { return func(q *Query) { q.K = &k } }
func (w *world) expect(got []string, want ...string) {
	w.t.Helper()
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		w.t.Errorf("got %q, want %q", got, want)
	}
}

// index is the real engine with faults.
type index struct {
	words.Index
	fail   error
	before func(q words.Query)
	asked  []words.Query
}

func (x *index) Search(ctx context.Context, q words.Query) (words.Answer, error) {
	x.asked = append(x.asked, q)
	if x.before != nil {
		x.before(q)
	}
	if x.fail != nil {
		return words.Answer{}, x.fail
	}
	return x.Index.Search(ctx, q)
}

type cursor struct {
	at   int64
	fail error
}

func (c *cursor) Cursor(context.Context, tenant.Scope) (int64, error) { return c.at, c.fail }

// journal remembers receipts.
type journal struct {
	ledger.Journal
	receipts []ledger.Receipt
	fail     error
}

func (j *journal) Append(_ context.Context, _ tenant.Scope, r ledger.Receipt) error {
	j.receipts = append(j.receipts, r)
	return j.fail
}
