package recall

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/recall/rerank"
	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Cursors tell how far the index has come in a log.
type Cursors interface {
	Cursor(ctx context.Context, scope tenant.Scope) (int64, error)
}

// Service answers retrieves.
type Service struct {
	Store    store.Store
	Index    search.Index
	Embedder embed.Embedder
	Cursors  Cursors
	Journal  ledger.Journal
	Memories *memory.Service // reads profiles
	Clock    clock.Clock
	IDs      *ids.Source
	Log      *slog.Logger
	// EmbedTime bounds how long the query's vector may take, from the start of the
	// retrieve; 0: 500 ms. When it is not there in time the lexical arm answers alone, and
	// says so. This and all times below end at half of what the request has left.
	EmbedTime time.Duration
	// Breaker spares retrieves to wait for a semantic arm that is away; nil: none.
	Breaker *Breaker
	// SearchTime bounds how long the index may take; 0: 3 s. When it has not answered
	// in time the retrieve goes on without its arms, and says so.
	SearchTime time.Duration
	// CatchUp brings an index of this very process up to the log; nil: none. Waited
	// for in deterministic mode, whose answer must not depend on lag, and when a write
	// is to be seen that the overlay does not reach (A0.3). It is of the request's
	// workspace: what siblings wrote for the whole tenant is seen, in every mode, as far
	// as the index has come in their logs, of which a tenant may have thousands; what they
	// changed since is shown as it is now.
	CatchUp func(ctx context.Context, scope tenant.Scope) error
	// Wait pauses while an index that another process brings up to the log does so, for
	// the same reasons; nil: clock.Pause.
	Wait func(ctx context.Context, d time.Duration) error
	// Runs is told of each retrieve that names a run; nil: sessions have no summaries.
	Runs Runs
	// Reranker is a second scorer; nil: none.
	Reranker rerank.Scorer
	// RerankTime bounds how long it may take; 0: 2 s. When it has not answered in time
	// the first order stands, and diagnostics say so.
	RerankTime time.Duration
}

// pass is one retrieve on its way.
type pass struct {
	*Service
	req        Request
	question   analysis.Question
	now        time.Time
	head       ledger.Head
	cursor     int64
	arms       map[string]Arm
	coming     *coming // nil: the semantic arm is not asked
	query      []float32
	changed    []string // items that the index has not reached
	full       bool     // an arm may know more than it was asked for
	found      []candidate
	taken      map[place]bool      // with AsOf: what found holds
	left       []candidate         // proposed, and read by nobody
	replaced   []candidate         // superseded ones that the query finds
	heirs      map[place]candidate // what stands in their place today, by theirs
	stats      search.Stats
	ranked     []scored
	reranking  RerankReport
	floors     []*memory.Memory
	profileSet []*memory.Memory
	summarySet []*memory.Memory
	hidden     int
	unread     int // entries of layer Workspace that an arm knows and nobody read
	unembedded int // memories in reach without a vector of the model
	removed    map[Removal]int
	numbers    Numbers
	steps      []Step
}

// Retrieve answers a context and leaves its receipt before it does.
func (s *Service) Retrieve(ctx context.Context, req Request) (Context, error) {
	p := &pass{
		Service: s, req: req, question: analysis.Query(req.Query), now: s.Clock.Now(),
		arms: map[string]Arm{}, taken: map[place]bool{}, removed: map[Removal]int{},
	}
	defer p.startVector(ctx)()
	var out Context
	compile := func(ctx context.Context) (err error) {
		out, err = p.compile(ctx, p.worth())
		return err
	}
	receipt := func(ctx context.Context) error { return p.receipt(ctx, out) }
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"position", p.position}, {"floors", p.tenantMemories}, {"lag", p.lag}, {"search", p.search},
		{"overlay", p.overlay}, {"hydrate", p.hydrate}, {"succeed", p.succeed}, {"rank", p.rank}, {"rerank", p.rerank},
		{"compile", compile}, {"receipt", receipt},
	} {
		if err := p.timed(ctx, step.name, step.do); err != nil {
			return Context{}, errs.Unread(err) // nothing is handed out without a receipt
		}
	}
	out.Diagnostics = p.explain(out)
	return out, nil
}

// receipt appends what was handed out to the journal: from then on it survives
// the process (T.19).
func (p *pass) receipt(ctx context.Context, out Context) error {
	if p.req.Silent {
		return nil
	}
	r := ledger.Receipt{
		ID: out.ReceiptID, Kind: ledger.RetrieveReceipt, Family: memory.Family, At: out.At,
		Actor: p.req.Actor, RequestHash: p.req.RequestHash, Items: []ledger.Item{},
	}
	for _, section := range packingOrder {
		for _, e := range out.Sections[section] {
			item := ledger.Item{ID: e.Memory.ID, Version: e.Memory.Version}
			if section != TenantFloors {
				score := e.Score
				item.Score = &score
			}
			r.Items = append(r.Items, item)
		}
	}
	r.Items = append(r.Items, p.digestItems(out)...)
	return p.Journal.Append(ctx, p.req.Scope, r)
}

// digestItems are the memories behind the profile and the session summary that no
// section holds.
func (p *pass) digestItems(out Context) []ledger.Item {
	shown := map[string]bool{}
	for _, entries := range out.Sections {
		for _, e := range entries {
			shown[e.Memory.ID] = true
		}
	}
	var items []ledger.Item
	for _, m := range p.digested() {
		if !shown[m.ID] {
			shown[m.ID] = true
			items = append(items, ledger.Item{ID: m.ID, Version: m.Version})
		}
	}
	return items
}

// digested are the memories that stand in a text of their own already.
func (p *pass) digested() []*memory.Memory { return slices.Concat(p.profileSet, p.summarySet) }
