package consolidate_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/consolidate"
	"holdfast/internal/embed/hashembed"
	"holdfast/internal/errs"
	"holdfast/internal/extract"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

const (
	tenantID = "0192f0c1-0000-7000-8000-00000000000a"
	spaceID  = "0192f0c1-0000-7000-8000-00000000000b"
)

var (
	scope    = tenant.Grant(tenantID, spaceID)
	start    = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	agent    = memory.Caller{Actor: ledger.Actor{KeyID: "agent-key", Kind: "agent", SourceID: "desk"}}
	reviewer = memory.Caller{Actor: ledger.Actor{KeyID: "reviewer-key", Kind: "person"}, Review: true}
)

const (
	lease = 2 * time.Minute
	held  = time.Minute // how long a call has a sealed stretch to itself
)

// world is a workspace with a consolidation over the real memory and commit.
type world struct {
	*consolidate.Service
	t         testing.TB
	clock     *clock.Fixed
	model     *model
	queue     *sent
	workspace tenant.Workspace
	visits    run.Visits
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return worldOver(t, filled(t), clock.NewFixed(start))
}

// filled is a store with the workspace's key in it.
func filled(t testing.TB) store.Store {
	t.Helper()
	s := memstore.New()
	secret(t, s)
	return s
}

func secret(t testing.TB, s store.Store) {
	t.Helper()
	item := store.Item{Key: keys.Secret(scope), Attrs: store.Attrs{"key": store.B(bytes.Repeat([]byte{7}, 32))}}
	if err := s.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
		t.Fatal(err)
	}
}

// worldOver is what a process is: everything but store and clock is new.
func worldOver(t testing.TB, s store.Store, c *clock.Fixed) *world {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	source := ids.NewSource(c.Now, nil)
	w := &world{t: t, clock: c, model: &model{}, queue: &sent{},
		workspace: tenant.Workspace{ID: spaceID, Settings: tenant.DefaultSettings(), CreatedAt: start}}
	commits := commit.New(commit.Config{Store: s, Clock: c, IDs: source, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	memories := memory.New(memory.Deps{Store: s, Commit: commits, Embedder: hashembed.New(64), IDs: source, Clock: c})
	w.Service = &consolidate.Service{
		Store: s, Commit: commits, Memories: memories, Extractor: w.model, IDs: source, Clock: c, Log: log,
		Runner:    &outbox.Runner{Store: s, Queue: w.queue, Clock: c, Log: log, Lease: lease},
		Workspace: func(context.Context, tenant.Scope) (tenant.Workspace, error) { return w.workspace, nil },
		Patience:  time.Minute,
	}
	w.Runner.OnDead = w.GiveUp
	w.visits = run.Visits{Store: s, Clock: c, Hash: memories.RunHash}
	return w
}

// sent is a queue that only remembers.
type sent struct {
	mu  sync.Mutex
	all []outbox.Message
}

func (s *sent) Send(_ context.Context, name queue.Name, batch []queue.Message) ([]error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range batch {
		if one, err := outbox.ParseMessage(m.Body); err == nil && name == queue.Name(outbox.Consolidate) {
			s.all = append(s.all, one)
		}
	}
	return make([]error, len(batch)), nil
}

// model is an extractor by rules: what has at least three letters is a statement.
type model struct {
	mu        sync.Mutex
	fail      error
	before    func(extract.Request) // called before a batch is read
	change    func(*extract.Result)
	concludes func(*extract.Conclusion)
	batches   int
	largest   int
	tokens    int
}

var word = regexp.MustCompile(`\pL`)

func (m *model) Batch(_ context.Context, r extract.Request) (extract.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.batches++
	m.largest = max(m.largest, len(r.Entries))
	if m.before != nil {
		m.before(r)
	}
	if m.fail != nil {
		return extract.Result{}, m.fail
	}
	out := extract.Result{Tokens: m.tokens}
	for _, e := range r.Entries {
		if len(word.FindAllString(e.Text, 3)) < 3 || e.Text == "ok" {
			continue
		}
		spans := []extract.Span{{EntryID: e.ID, End: utf8.RuneCountInString(e.Text)}}
		out.Sentences = append(out.Sentences, extract.Sentence{Text: e.Text, Spans: spans})
		kind := e.Type
		if kind == "file_doc" || kind == "policy" {
			kind = "fact"
		}
		if strings.Contains(r.Instructions, "decisions") && kind != "decision" {
			out.Counts.Narrowed++
			continue
		}
		out.Statements = append(out.Statements, extract.Statement{Type: kind, Text: e.Text, Spans: spans})
	}
	if m.change != nil {
		m.change(&out)
	}
	return out, nil
}

func (m *model) Conclude(_ context.Context, _ string, list []extract.Sentence) (extract.Conclusion, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return extract.Conclusion{}, m.fail
	}
	out := extract.Conclusion{Outcome: list[len(list)-1:], Summary: list[:min(3, len(list))], Tokens: m.tokens}
	if m.concludes != nil {
		m.concludes(&out)
	}
	return out, nil
}

func (w *world) as(c memory.Caller) memory.Target {
	return memory.Target{Scope: scope, Workspace: w.workspace, Caller: c}
}

func ptr[T any](v T) *T { return &v }

// say appends a session entry to a run.
func (w *world) say(runID, text string, with ...func(*memory.Draft)) string {
	w.t.Helper()
	d := memory.Draft{Layer: "Session", Type: "fact", Content: text, RunID: &runID}
	return w.add(d, with...)
}

// know appends a memory of the workspace.
func (w *world) know(text string, with ...func(*memory.Draft)) string {
	w.t.Helper()
	return w.add(memory.Draft{Layer: "Workspace", Type: "fact", Content: text}, with...)
}

func (w *world) add(d memory.Draft, with ...func(*memory.Draft)) string {
	w.t.Helper()
	for _, change := range with {
		change(&d)
	}
	w.clock.Advance(time.Second)
	a, err := w.Memories.Append(context.Background(), w.as(agent), d)
	if err != nil {
		w.t.Fatalf("append: %v", err)
	}
	return a.ID
}

func ofType(kind string) func(*memory.Draft) { return func(d *memory.Draft) { d.Type = kind } }
func ofUser(id string) func(*memory.Draft)   { return func(d *memory.Draft) { d.UserID = &id } }
func from(origin string) func(*memory.Draft) { return func(d *memory.Draft) { d.Origin = &origin } }

func (w *world) consolidate(ask consolidate.Ask) (commit.Outcome, error) {
	w.clock.Advance(time.Second)
	return w.Consolidate(context.Background(), w.as(agent), ask)
}

// end consolidates a run and lets the worker sweep.
func (w *world) end(runID string) {
	w.t.Helper()
	if _, err := w.consolidate(consolidate.Ask{RunID: runID}); err != nil {
		w.t.Fatalf("consolidate: %v", err)
	}
	w.work()
}

// work runs every job that waits, at its time.
func (w *world) work() {
	w.t.Helper()
	for range 40 {
		jobs := w.jobs()
		if len(jobs) == 0 {
			return
		}
		for _, job := range jobs {
			if job.DueAt.After(w.clock.Now()) {
				w.clock.Advance(job.DueAt.Sub(w.clock.Now()))
			}
			if err := (consolidate.Worker{Service: w.Service}).Run(context.Background(), scope, job.ID); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.t.Fatal("no end of jobs")
}

// jobs are the open consolidations.
func (w *world) jobs() []outbox.Job {
	w.t.Helper()
	all, _, err := w.Runner.List(context.Background(), scope, "", 10_000, "")
	if err != nil {
		w.t.Fatal(err)
	}
	var out []outbox.Job
	for _, job := range all {
		if job.Kind == outbox.Consolidate && job.State != outbox.Dead {
			out = append(out, job)
		}
	}
	return out
}

// list answers what a reviewer sees, oldest first.
func (w *world) list(f memory.Filter) []*memory.Memory {
	w.t.Helper()
	var out []*memory.Memory
	after := ""
	for {
		page, err := w.Memories.List(context.Background(), w.as(reviewer), f, 200, after)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, m := range page.Entries {
			out = append([]*memory.Memory{m}, out...)
		}
		if after = page.Next; after == "" {
			return out
		}
	}
}

// derived are the memories that consolidations made, but for episodes and summaries.
func (w *world) derived() []*memory.Memory {
	w.t.Helper()
	var out []*memory.Memory
	for _, m := range w.list(memory.Filter{Layer: memory.Workspace}) {
		if m.Provenance.Origin == memory.FromService && m.Type != memory.Episode && m.Type != memory.Summary {
			out = append(out, m)
		}
	}
	return out
}

func (w *world) episodes() []*memory.Memory { return w.list(memory.Filter{Type: memory.Episode}) }

func texts(list []*memory.Memory) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.Content
	}
	return out
}

func (w *world) gone(id string) {
	w.t.Helper()
	if _, err := w.Memories.Get(context.Background(), w.as(reviewer), id, memory.Subject{}); !errs.Is(err, errs.NotFound) {
		w.t.Errorf("%s is there: %v", id, err)
	}
}

func (w *world) there(id string) *memory.Memory {
	w.t.Helper()
	m, err := memory.Head(context.Background(), w.Store, scope, id)
	if err != nil || m == nil || m.IsDeleted() {
		w.t.Fatalf("%s is not there: %v", id, err)
	}
	return m
}

func (w *world) run(runID string) run.Run {
	w.t.Helper()
	hash, err := w.Memories.RunHash(context.Background(), scope, runID)
	if err != nil {
		w.t.Fatal(err)
	}
	r, found, err := run.Read(context.Background(), w.Store, scope, hash)
	if err != nil || !found {
		w.t.Fatalf("run %v, %v", found, err)
	}
	return r
}

func (w *world) stretch(runID string, n int64) run.Stretch {
	w.t.Helper()
	st, found, err := run.ReadStretch(context.Background(), w.Store, scope, w.run(runID).Hash, n)
	if err != nil || !found {
		w.t.Fatalf("stretch %v, %v", found, err)
	}
	return st
}

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if e := errs.As(err); e == nil || e.Code != code {
		t.Fatalf("error %v, want code %s", err, code)
	}
}

func keyed(t memory.Target, key, body string) memory.Target {
	k := idem.NewKey(t.Caller.Actor.KeyID, "POST", "/v1/memory/consolidate", key, []byte(body), -1)
	t.Key = &k
	return t
}

// dump is every row as text: what must not be in it is nowhere.
func (w *world) dump() string {
	w.t.Helper()
	var lines []string
	scanner, ok := w.Store.(store.Scanner)
	if !ok {
		w.t.Fatal("the store cannot be scanned")
	}
	err := scanner.Scan(context.Background(), func(item store.Item) error {
		for name, v := range item.Attrs {
			lines = append(lines, fmt.Sprintf("%v %s %s %s %v", item.Key, name, v.S, v.B, v.On))
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (w *world) commit(actions ...store.Action) {
	w.t.Helper()
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: actions}); err != nil {
		w.t.Fatal(err)
	}
}

// hooked calls once, when the statements of a group are about to be stored.
type hooked struct {
	store.Store
	call func()
}

func (h *hooked) Query(ctx context.Context, q store.Query) (store.Page, error) {
	if call := h.call; call != nil && strings.HasSuffix(q.Prefix, "#B") {
		h.call = nil
		call()
	}
	return h.Store.Query(ctx, q)
}

// Scan implements store.Scanner.
func (h *hooked) Scan(ctx context.Context, visit func(store.Item) error) error {
	return h.Store.(store.Scanner).Scan(ctx, visit)
}

// ScanKeys implements store.Scanner.
func (h *hooked) ScanKeys(ctx context.Context, want func(store.Key) bool, visit func(store.Item) error) error {
	return h.Store.(store.Scanner).ScanKeys(ctx, want, visit)
}
