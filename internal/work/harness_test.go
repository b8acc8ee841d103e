package work_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/embed"
	"holdfast/internal/embed/hashembed"
	"holdfast/internal/extract"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

const (
	tenantID = "0192f0c1-0000-7000-8000-00000000000a"
	spaceID  = "0192f0c1-0000-7000-8000-00000000000b"
	otherID  = "0192f0c1-0000-7000-8000-00000000000c"
)

var (
	scope = tenant.Grant(tenantID, spaceID)
	other = tenant.Grant(tenantID, otherID) // another workspace of the tenant
	start = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	agent = memory.Caller{Actor: ledger.Actor{KeyID: "agent-key", Kind: "agent", SourceID: "desk"}}
	admin = memory.Caller{Actor: ledger.Actor{KeyID: "admin-key", Kind: "person"}, Review: true, Tenant: true}
)

const lease = time.Minute

// world is two workspaces with all that the workers stand on.
type world struct {
	t        testing.TB
	store    store.Store
	clock    *clock.Fixed
	settings tenant.Settings
	index    *index
	model    *model
	sent     *sent
	commit   *commit.Committer
	memories *memory.Service
	cursors  work.Cursors
	indexer  *work.Indexer
	runner   *outbox.Runner
	ids      *ids.Source
	logged   *bytes.Buffer // what the eraser said
	log      *slog.Logger
	measured []obs.Metric
	stuck    bool // see stuckable
	// extractor puts something between consolidations and the rules that they extract by;
	// nil: nothing.
	extractor func(extract.Extractor) extract.Extractor
}

func newWorld(t testing.TB) *world {
	t.Helper()
	c := clock.NewFixed(start)
	return worldOver(t, filled(t), c, &index{Index: memsearch.New(c)}, work.NewMemoryCursors())
}

// filled is a store with the workspaces' keys in it.
func filled(t testing.TB) *memstore.Store {
	t.Helper()
	s := memstore.New()
	for _, one := range []tenant.Scope{scope, other} {
		item := store.Item{Key: keys.Secret(one), Attrs: store.Attrs{"key": store.B(bytes.Repeat([]byte{7}, 32))}}
		if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func worldOver(t testing.TB, s store.Store, c *clock.Fixed, x *index, cursors work.Cursors) *world {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	source := ids.NewSource(c.Now, nil)
	w := &world{t: t, store: s, clock: c, index: x, model: &model{Embedder: hashembed.New(64)}, sent: &sent{},
		settings: tenant.DefaultSettings(), cursors: cursors, ids: source, logged: &bytes.Buffer{}}
	w.log = obs.NewLogger(w.logged, nil)
	w.commit = commit.New(commit.Config{Store: s, Clock: c, IDs: source, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	w.memories = memory.New(memory.Deps{Store: s, Commit: w.commit, Embedder: w.model, IDs: source, Clock: c})
	w.indexer = &work.Indexer{Store: s, Index: x, Cursors: cursors, Projectors: map[string]work.Projector{
		memory.Family: work.Memories{Store: s, Profile: w.profile()}}}
	w.runner = &outbox.Runner{Store: s, Queue: w.sent, Clock: c, Log: log, Lease: lease}
	return w
}

func (w *world) measure(m ...obs.Metric) error {
	w.measured = append(w.measured, m...)
	return nil
}

func (w *world) profile() string { return w.model.Profile().Name() }

// index is the real engine with faults.
type index struct {
	search.Index
	mu    sync.Mutex
	apply error           // what Apply answers, having done nothing
	keeps bool            // Has always answers that the document is there
	kept  searchDocument  // Has answers that this one is there, of Scope and ID
	calls int             // of Apply and Has
	fails int             // the call that fails
	late  bool            // which has done its work then
	seen  []search.Op     // all that were applied, in order
	hook  func(search.Op) // called before an operation is applied
}

func (x *index) Apply(ctx context.Context, ops []search.Op) []error {
	failing := x.called()
	x.mu.Lock()
	failure, hook := x.apply, x.hook
	x.mu.Unlock()
	if failing && x.late {
		x.Index.Apply(ctx, ops)
	}
	if failing {
		failure = errAway
	}
	if failure != nil {
		return slices.Repeat([]error{failure}, len(ops))
	}
	for _, op := range ops {
		if hook != nil {
			hook(op)
		}
	}
	x.mu.Lock()
	x.seen = append(x.seen, ops...)
	x.mu.Unlock()
	return x.Index.Apply(ctx, ops)
}

func (x *index) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	if x.called() {
		return false, errAway
	}
	if x.keeps || x.kept.Scope == scope && x.kept.ID == id {
		return true, nil
	}
	return x.Index.Has(ctx, scope, id)
}

// called counts a call and tells whether it is the one that fails.
func (x *index) called() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.calls++
	return x.calls == x.fails
}

// model is an embedder that can be down.
type model struct {
	embed.Embedder
	down   bool
	before func() // called before a text is embedded
	calls  int
}

func (m *model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.calls++
	if m.before != nil {
		m.before()
	}
	if m.down {
		return nil, embed.ErrUnavailable
	}
	return m.Embedder.Embed(ctx, texts)
}

// sent is a queue that only remembers.
type sent struct {
	mu  sync.Mutex
	all []queue.Message
}

func (s *sent) Send(_ context.Context, _ queue.Name, batch []queue.Message) ([]error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, batch...)
	return make([]error, len(batch)), nil
}

var errAway = errors.New("the engine is away")
