package work

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/search"
	"holdfast/internal/search/words"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Cursors keep how far an index has come in each scope's log: what is at or
// before the cursor is searchable. Advance never moves back.
type Cursors interface {
	Cursor(ctx context.Context, scope tenant.Scope) (int64, error)
	Advance(ctx context.Context, scope tenant.Scope, seq int64) error
}

// Projector turns a family's items into index operations: an upsert of what is
// true now, or a delete of what recall must not see. Each names its item; sequences
// are filled in by the caller.
type Projector interface {
	Project(ctx context.Context, scope tenant.Scope, changes []Change) ([]search.Op, error)
}

// Change is what a projection looks after of an item: its current text and, where it
// is indexed, its earlier texts from a version on.
type Change struct {
	ID   string
	From int64
}

// currentOnly is the From of a change that no earlier text has a part in.
const currentOnly = math.MaxInt64

// Indexer brings the index up to the log.
type Indexer struct {
	Store      store.Store
	Index      search.Index
	Cursors    Cursors
	Projectors map[string]Projector // by family
	Words      words.Index          // facts, in an index of their own
	Facts      factsearch.Live      // what search may know of them

	mu    sync.Mutex
	scope map[tenant.Scope]chan struct{}
}

// indexPage is how many log rows are indexed at a time.
const indexPage = 500

// Sync indexes what a scope's log has beyond the cursor.
func (x *Indexer) Sync(ctx context.Context, scope tenant.Scope) error {
	end, err := x.single(ctx, scope)
	if err != nil {
		return err
	}
	defer end()
	start, err := x.Cursors.Cursor(ctx, scope)
	if err != nil {
		return err
	}
	cursor := start
	for {
		rows, err := ledger.Log{Store: x.Store}.Rows(ctx, scope, cursor+1, indexPage)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		if err := x.apply(ctx, scope, rows); err != nil {
			return err
		}
		cursor = rows[len(rows)-1].Sequence
		if err := x.Cursors.Advance(ctx, scope, cursor); err != nil {
			return err
		}
		if len(rows) < indexPage {
			break
		}
	}
	return x.unmark(ctx, scope, cursor)
}

// single lets one Sync of a scope run at a time in this process; end lets the next one.
func (x *Indexer) single(ctx context.Context, scope tenant.Scope) (end func(), err error) {
	x.mu.Lock()
	if x.scope == nil {
		x.scope = map[tenant.Scope]chan struct{}{}
	}
	turn := x.scope[scope]
	if turn == nil {
		turn = make(chan struct{}, 1)
		x.scope[scope] = turn
	}
	x.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (x *Indexer) apply(ctx context.Context, scope tenant.Scope, rows []ledger.Row) error {
	latest, from := map[string]ledger.Row{}, map[string]int64{}
	changed := map[string][]string{}
	for _, row := range rows {
		e := row.Entry
		if !e.Recall {
			continue
		}
		if _, seen := latest[e.ItemID]; !seen {
			changed[e.Family] = append(changed[e.Family], e.ItemID)
			from[e.ItemID] = currentOnly
		}
		latest[e.ItemID] = row
		from[e.ItemID] = min(from[e.ItemID], stale(row))
	}
	for family, ids := range changed {
		changes := make([]Change, len(ids))
		for i, id := range ids {
			changes[i] = Change{ID: id, From: from[id]}
		}
		err := x.project(ctx, scope, family, changes, func(id string) int64 { return ofRow(latest[id].Sequence) })
		var refused *refusal
		if errors.As(err, &refused) {
			err = x.putAside(ctx, scope, refused.items, latest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stale answers the first of an item's earlier texts whose document is stale after a
// change. An update touches the text alone, so that is the one it replaced; one by the
// service itself takes an erased piece out, and earlier texts with it. Anything else
// may have changed what all of them show of the item today. An item of many versions
// would otherwise be written whole with each.
func stale(row ledger.Row) int64 {
	if row.Entry.Op == ledger.Update && row.Actor != ledger.Service() {
		return max(1, row.Entry.Version-1)
	}
	return 1
}

// The external version of a document is twice the sequence of the log row that
// changed the item, and one more when something beside the log changed (a vector
// came): that lies after every row that was there and before every later one.
func ofRow(seq int64) int64     { return 2 * seq }
func afterHead(seq int64) int64 { return 2*seq + 1 }

func (x *Indexer) project(ctx context.Context, scope tenant.Scope, family string, changes []Change, version func(id string) int64) error {
	if family == fact.Family {
		return x.projectFacts(ctx, scope, changes, version)
	}
	projector, ok := x.Projectors[family]
	if !ok {
		return fmt.Errorf("work: no projector for family %q", family)
	}
	ops, err := projector.Project(ctx, scope, changes)
	if err != nil {
		return err
	}
	items := make([]string, len(ops))
	for i := range ops {
		items[i] = ops[i].Document.ItemID()
		ops[i].Document.Sequence = version(items[i])
	}
	return verdict(items, x.Index.Apply(ctx, ops))
}

// Has tells whether the index has a document.
func (x *Indexer) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	return x.Index.Has(ctx, scope, id)
}

// Refresh writes what is true now of items that changed beside the log, such as
// one whose vector came late or whose copies are to be erased. Earlier texts of items
// that are still there do not change that way.
func (x *Indexer) Refresh(ctx context.Context, scope tenant.Scope, family string, ids []string) error {
	changes := make([]Change, len(ids))
	for i, id := range ids {
		changes[i] = Change{ID: id, From: currentOnly}
	}
	return x.refresh(ctx, scope, family, changes)
}

func (x *Indexer) refresh(ctx context.Context, scope tenant.Scope, family string, changes []Change) error {
	head, err := ledger.ReadHead(ctx, x.Store, scope) // before the items are read: a later change has a later row
	if err != nil {
		return err
	}
	return x.project(ctx, scope, family, changes, func(string) int64 { return afterHead(head.Sequence) })
}

// unmark removes the mark that makes the sweep look after this scope, unless a
// later commit has moved it.
func (x *Indexer) unmark(ctx context.Context, scope tenant.Scope, cursor int64) error {
	head, err := ledger.ReadHead(ctx, x.Store, scope)
	if err != nil || head.Recall == 0 || head.Recall > cursor {
		return err
	}
	err = x.Store.Commit(ctx, store.Tx{Actions: []store.Action{outbox.Unmark(scope, head.Recall)}})
	if store.Failed(err, "mark") {
		return nil
	}
	return err
}
