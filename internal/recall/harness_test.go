package recall

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/embed"
	"holdfast/internal/embed/hashembed"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

const (
	tenantID  = "0192f0c1-0000-7000-8000-00000000000a"
	foreignID = "0192f0c1-0000-7000-8000-00000000000d"
)

var (
	here    = tenant.Grant(tenantID, "0192f0c1-0000-7000-8000-00000000000b")
	sibling = tenant.Grant(tenantID, "0192f0c1-0000-7000-8000-00000000000c")
	foreign = tenant.Grant(foreignID, "0192f0c1-0000-7000-8000-00000000000e")
	start   = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	writer  = memory.Caller{Actor: ledger.Actor{KeyID: "admin-key", Kind: "person"}, Review: true, Tenant: true}
	modes   = []Mode{Hybrid, Semantic, Lexical, Deterministic}
)

// world is three workspaces, two of them of one tenant, with a recall service.
type world struct {
	*Service
	t       testing.TB
	clock   *clock.Fixed
	index   *index
	model   *model
	journal *journal
	indexer *work.Indexer
	commits *commit.Committer
	pauses  []time.Duration // waited for the index to follow
	during  func()          // happens in each of them
}

// waited is a pause that takes no time.
func (w *world) waited(d time.Duration) {
	w.pauses = append(w.pauses, d)
	if w.during != nil {
		w.during()
	}
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return newWorldOver(t, memstore.New())
}

// newWorldOver makes the world in an empty store.
func newWorldOver(t testing.TB, s store.Store) *world {
	t.Helper()
	for _, one := range []tenant.Scope{here, sibling, foreign} {
		item := store.Item{Key: keys.Secret(one), Attrs: store.Attrs{"key": store.B(bytes.Repeat([]byte{7}, 32))}}
		if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
			t.Fatal(err)
		}
	}
	return worldOver(t, s, clock.NewFixed(start))
}

func worldOver(t testing.TB, s store.Store, c *clock.Fixed) *world {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	source := ids.NewSource(c.Now, nil)
	w := &world{t: t, clock: c, index: &index{Index: memsearch.New(c)}, model: &model{Embedder: hashembed.New(256)}, journal: &journal{}}
	w.commits = commit.New(commit.Config{Store: s, Clock: c, IDs: source, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	cursors := work.NewMemoryCursors()
	w.indexer = &work.Indexer{Store: s, Index: w.index, Cursors: cursors, Projectors: map[string]work.Projector{
		memory.Family: work.Memories{Store: s, Profile: w.model.Profile().Name()}}}
	// a machine with other work may take its time: what waits for the default sets it
	wait := func(ctx context.Context, d time.Duration) error { w.waited(d); return ctx.Err() }
	w.Service = &Service{Wait: wait, EmbedTime: time.Minute, SearchTime: time.Minute, Store: s, Index: w.index, Embedder: w.model, Cursors: cursors, Journal: w.journal, Clock: c, IDs: source, Log: log,
		Memories: memory.New(memory.Deps{Store: s, Commit: w.commits, Embedder: w.model.Embedder, IDs: source, Clock: c})}
	return w
}

// index is the real engine with faults.
type index struct {
	search.Index
	fail   error                             // what Search answers
	change func(search.Answer) search.Answer // changes what Search answers
	before func(ctx context.Context)         // called first
	mu     sync.Mutex                        // of what follows
	asked  []search.Query
	last   search.Answer
}

func (x *index) Search(ctx context.Context, q search.Query) (search.Answer, error) {
	x.mu.Lock()
	x.asked = append(x.asked, q)
	x.mu.Unlock()
	if x.before != nil {
		x.before(ctx)
	}
	if x.fail != nil {
		return search.Answer{}, x.fail
	}
	if ctx.Err() != nil {
		return search.Answer{}, ctx.Err()
	}
	a, err := x.Index.Search(ctx, q)
	if x.change != nil {
		a = x.change(a)
	}
	x.mu.Lock()
	x.last = a
	x.mu.Unlock()
	return a, err
}

// model is an embedder that can be down or slow.
type model struct {
	embed.Embedder
	fail  error
	slow  atomic.Bool // answers when its context ends
	late  time.Duration
	calls atomic.Int32
}

func (m *model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.calls.Add(1)
	if m.slow.Load() {
		<-ctx.Done()
		return nil, errors.Join(embed.ErrUnavailable, ctx.Err())
	}
	if m.fail != nil {
		return nil, m.fail
	}
	if m.late > 0 && clock.Pause(context.WithoutCancel(ctx), m.late) != nil { // deaf to its context
		return nil, embed.ErrUnavailable
	}
	return m.Embedder.Embed(context.WithoutCancel(ctx), texts)
}

// journal remembers receipts, or fails.
type journal struct {
	ledger.Journal
	fail error
	slow bool // answers when its context ends
	mu   sync.Mutex
	all  []ledger.Receipt
}

func (j *journal) Append(ctx context.Context, _ tenant.Scope, r ledger.Receipt) error {
	if j.slow {
		<-ctx.Done()
		return ctx.Err()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fail != nil {
		return j.fail
	}
	j.all = append(j.all, r)
	return nil
}

func (j *journal) last(t testing.TB) ledger.Receipt {
	t.Helper()
	if len(j.all) == 0 {
		t.Fatal("no receipt")
	}
	return j.all[len(j.all)-1]
}

// question is a request as a route would fill it in.
func question(query string, changes ...func(*Request)) Request {
	r := Request{Scope: here, Actor: writer.Actor, Query: query, TopN: 20, TokenBudget: 4096, Mode: Hybrid, RequestHash: "hash"}
	for _, change := range changes {
		change(&r)
	}
	return r
}

func in(mode Mode) func(*Request)          { return func(r *Request) { r.Mode = mode } }
func within(s tenant.Scope) func(*Request) { return func(r *Request) { r.Scope = s } }
func asUser(id string) func(*Request)      { return func(r *Request) { r.Subject.UserID = id } }

func (w *world) ask(query string, changes ...func(*Request)) Context {
	w.t.Helper()
	c, err := w.Retrieve(w.t.Context(), question(query, changes...))
	if err != nil {
		w.t.Fatalf("retrieve: %v", err)
	}
	return c
}

// ids are the entries of some sections (none: of all) in their order.
func (c Context) ids(sections ...Section) []string {
	if len(sections) == 0 {
		sections = packingOrder
	}
	var out []string
	for _, s := range sections {
		for _, e := range c.Sections[s] {
			out = append(out, e.Memory.ID)
		}
	}
	return out
}

// holds asks for exactly these entries, in any order.
func (c Context) holds(t testing.TB, want ...string) {
	t.Helper()
	got := c.ids()
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("entries %v, want %v", got, want)
	}
}

// text is an entry's; empty where there is none.
func (c Context) text(id string) string {
	for _, entries := range c.Sections {
		for _, e := range entries {
			if e.Memory.ID == id {
				return e.Memory.Content
			}
		}
	}
	return ""
}

func (c Context) arm(name string) Arm {
	for _, a := range c.Arms {
		if a.Name == name {
			return a
		}
	}
	return Arm{}
}

var errAway = errors.New("the engine is away")
