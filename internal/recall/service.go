package recall

import (
	"context"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
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
	// EmbedTime bounds how long the query's vector may take; 0: 2 s. When it is not
	// there in time the lexical arm answers alone, and says so.
	EmbedTime time.Duration
	// CatchUp brings an index of this very process up to the log; nil: none. Waited
	// for in deterministic mode, whose answer must not depend on lag, and when a write
	// is to be seen that the overlay does not reach (A0.3).
	CatchUp func(ctx context.Context, scope tenant.Scope) error
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
	query      []float32
	asked      search.Query
	full       bool // an arm may know more than it was asked for
	found      []candidate
	stats      search.Stats
	floors     []*memory.Memory
	profile    *Profile
	profileSet []*memory.Memory
	hidden     int
}

// Retrieve answers a context and leaves its receipt before it does.
func (s *Service) Retrieve(ctx context.Context, req Request) (Context, error) {
	p := &pass{Service: s, req: req, question: analysis.Query(req.Query), now: s.Clock.Now(), arms: map[string]Arm{}}
	for _, step := range []func(context.Context) error{
		p.position, p.tenantMemories, p.search, p.overlay, p.hydrate,
	} {
		if err := step(ctx); err != nil {
			return Context{}, asError(err)
		}
	}
	ranked := p.rank()
	out, err := p.compile(ctx, ranked)
	if err != nil {
		return Context{}, err
	}
	return out, asError(p.receipt(ctx, out))
}

func asError(err error) error {
	if err == nil || errs.As(err) != nil {
		return err
	}
	e := errs.Wrap(errs.Unavailable, "UNAVAILABLE", "A store does not answer; try again.", err)
	e.RetryAfter = time.Second
	return e
}

// position reads where log and index stand.
func (p *pass) position(ctx context.Context) error {
	if p.req.Mode == Deterministic {
		p.catchUp(ctx)
	}
	if err := p.positions(ctx); err != nil {
		return err
	}
	if p.req.AtLeast > p.head.Sequence {
		return errs.Validation(errs.Field{Pointer: "/consistency/atLeast",
			Rule: "must be a Memory-Sequence that this workspace has answered"})
	}
	if p.req.AtLeast > p.cursor && p.head.Recall-p.cursor > overlayRows {
		p.catchUp(ctx)
		if err := p.positions(ctx); err != nil {
			return err
		}
	}
	if p.req.Mode == Deterministic { // no clock: now is the time of the newest change (R0.82)
		p.now = p.head.RecallAt
	}
	return nil
}

func (p *pass) positions(ctx context.Context) (err error) {
	if p.cursor, err = p.Cursors.Cursor(ctx, p.req.Scope); err != nil {
		return err
	}
	p.head, err = ledger.ReadHead(ctx, p.Store, p.req.Scope)
	return err
}

// catchUp waits for an index of this process; where it fails the overlay does what
// it can, and says so.
func (p *pass) catchUp(ctx context.Context) {
	if p.CatchUp == nil {
		return
	}
	if err := p.CatchUp(ctx, p.req.Scope); err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "index could not catch up")
	}
}

// indexSequence is the index's place, counted in rows that change recall (R0.77).
func (p *pass) indexSequence() int64 { return min(p.cursor, p.head.Recall) }

// search asks the index, both arms at once.
func (p *pass) search(ctx context.Context) error {
	q := search.Query{
		Scopes: []tenant.Scope{p.req.Scope, p.req.Scope.Own()}, Filter: p.req.filter(), Text: p.req.Query,
	}
	p.skip("lexical", "semantic")
	if p.req.Mode.lexical() {
		q.Lexical = p.proposals()
	}
	if p.req.Mode.semantic() && p.embed(ctx) {
		q.Vector, q.Profile, q.Semantic = p.query, p.Embedder.Profile().Name(), p.proposals()
	}
	if q.Lexical == 0 && q.Semantic == 0 {
		return nil
	}
	p.asked = q
	hits := p.propose(ctx, q)
	p.found, p.full = p.located(hits), len(hits) >= p.proposals()
	return nil
}

// propose asks the index and notes which arms took part.
func (p *pass) propose(ctx context.Context, q search.Query) []search.Hit {
	answer, err := p.Index.Search(ctx, q)
	if err != nil {
		answer = search.Answer{LexicalErr: err, SemanticErr: err}
	}
	p.took("lexical", q.Lexical > 0, answer.LexicalErr)
	p.took("semantic", q.Semantic > 0, answer.SemanticErr)
	if err == nil {
		p.stats = answer.Stats
	}
	return answer.Hits
}

func (p *pass) proposals() int {
	if p.req.Mode == Deterministic {
		return deterministicScope
	}
	return proposals
}

// skip notes arms that the mode does not ask.
func (p *pass) skip(names ...string) {
	for _, name := range names {
		p.arms[name] = Arm{Name: name, State: Skipped, Reason: "the mode does not use it"}
	}
}

func (p *pass) took(name string, asked bool, err error) {
	switch {
	case err != nil && asked:
		p.arms[name] = Arm{Name: name, State: Degraded, Reason: "the index does not answer"}
	case asked:
		p.arms[name] = Arm{Name: name, State: Ran}
	}
}

// embed makes the query's vector within its time.
func (p *pass) embed(ctx context.Context) bool {
	limit := p.EmbedTime
	if limit == 0 {
		limit = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// names of people say little of meaning and draw the vector to whoever is named
	// (design: vector recall .41 without, .60 with them taken out)
	text := analysis.WithoutNames(p.req.Query, p.question.Names)
	if text == "" {
		text = p.req.Query
	}
	vectors, err := p.Embedder.Embed(ctx, []string{text})
	if err != nil || len(vectors) != 1 {
		p.arms["semantic"] = Arm{Name: "semantic", State: Degraded, Reason: "the embedding model does not answer"}
		return false
	}
	p.query = vectors[0]
	return true
}

// receipt appends what was handed out to the journal: from then on it survives
// the process (T.19).
func (p *pass) receipt(ctx context.Context, out Context) error {
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
	r.Items = append(r.Items, p.profileItems(out)...)
	return p.Journal.Append(ctx, p.req.Scope, r)
}

// profileItems are the memories behind the profile that no section holds.
func (p *pass) profileItems(out Context) []ledger.Item {
	if out.Profile == nil {
		return nil
	}
	shown := map[string]bool{}
	for _, entries := range out.Sections {
		for _, e := range entries {
			shown[e.Memory.ID] = true
		}
	}
	var items []ledger.Item
	for _, m := range p.profileSet {
		if !shown[m.ID] {
			items = append(items, ledger.Item{ID: m.ID, Version: m.Version})
		}
	}
	return items
}
