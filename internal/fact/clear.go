package fact

import (
	"context"
	"slices"
	"strconv"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Clearing empties a list whose facts nobody may see any more: an erased user's folder,
// or the memory of an experiment that is over. It can be broken off and begun again at
// any place: a fact's row in the list goes last.
type Clearing struct {
	Facts *Service
	Scope tenant.Scope
	Space string // hash
	List  string // hash
	Whole bool   // count the facts off the workspace; the list is all of the space
	// Copies removes what other packages hold of facts that are tombstones now.
	Copies func(ctx context.Context, ids []string) error
	// Drop removes rows that nobody reads any more, in their order.
	Drop func(ctx context.Context, gone []store.Key) error
}

// clearPage is how many facts go at a time: a tombstone and a log row each fit one
// commit.
const clearPage = 45

// Run empties the list.
func (c Clearing) Run(ctx context.Context) error {
	for {
		rows, err := c.rows(ctx, clearPage)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := c.page(ctx, rows); err != nil {
			return err
		}
	}
}

// Left counts the rows that are left in the list, up to a page of them.
func (c Clearing) Left(ctx context.Context) (int, error) {
	rows, err := c.rows(ctx, clearPage)
	return len(rows), err
}

// Sample answers the HEAD keys of the facts that go first: a page of them.
func (c Clearing) Sample(ctx context.Context) ([]store.Key, error) {
	rows, err := c.rows(ctx, clearPage)
	var out []store.Key
	for _, r := range rows {
		out = append(out, keys.Fact(c.Scope, r.id))
	}
	return out, err
}

func (c Clearing) rows(ctx context.Context, most int) ([]row, error) {
	page, err := c.Facts.Store.Query(ctx, store.Query{PK: keys.FactListPK(c.Scope, c.List), Limit: most})
	if err != nil {
		return nil, err
	}
	out := make([]row, len(page.Items))
	for i, item := range page.Items {
		out[i] = decodeRow(item)
	}
	return out, nil
}

func (c Clearing) page(ctx context.Context, rows []row) error {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = r.id
	}
	_, err := c.Facts.Commit.Do(ctx, commit.Write{Scope: c.Scope, Actor: ledger.Service(), Kind: ledger.ErasureReceipt,
		Plan: func(ctx context.Context, _ commit.Operation) (commit.Plan, error) { return c.bury(ctx, list) }})
	if err != nil {
		return err
	}
	gone, versions, err := c.buried(ctx, list)
	if err != nil {
		return err
	}
	if err := c.Drop(ctx, versions); err != nil {
		return err
	}
	if err := c.Copies(ctx, gone); err != nil {
		return err
	}
	return c.Drop(ctx, c.places(rows, gone))
}

// holds tells whether a fact is one of the list: a row that came from elsewhere may name
// one that is not, which stays.
func (c Clearing) holds(f *Fact) bool {
	return slices.Contains(listsOf(f.Space, f.Path, f.Generation), c.List)
}

// bury makes tombstones of facts, each with its log row, so that the index drops them.
func (c Clearing) bury(ctx context.Context, list []string) (commit.Plan, error) {
	found, err := heads(ctx, c.Facts.Store, c.Scope, list)
	if err != nil {
		return commit.Plan{}, err
	}
	var plan commit.Plan
	for i, f := range found {
		if f == nil || f.Deleted || !c.holds(f) {
			continue
		}
		stone := f.tombstone()
		stone.Revision = f.Revision + 1
		item, err := headItem(c.Scope, stone)
		if err != nil {
			return commit.Plan{}, err
		}
		entry, err := stone.entry(ledger.Erase, f.Searched())
		if err != nil {
			return commit.Plan{}, err
		}
		plan.Actions = append(plan.Actions, store.PutItem("head"+strconv.Itoa(i), item, store.IfEqual(attrRevision, store.N(f.Revision))))
		plan.Entries = append(plan.Entries, entry)
		if c.Whole {
			plan.Items, plan.Bytes = plan.Items-1, plan.Bytes-f.Bytes
		}
	}
	return plan, nil
}

// buried answers those of the facts that are no more, and the rows of their versions.
func (c Clearing) buried(ctx context.Context, list []string) (gone []string, versions []store.Key, err error) {
	found, err := heads(ctx, c.Facts.Store, c.Scope, list)
	if err != nil {
		return nil, nil, err
	}
	for i, f := range found {
		if f != nil && !f.Deleted {
			continue
		}
		gone = append(gone, list[i])
		if f == nil || f.Version < 2 {
			continue
		}
		of, err := VersionKeys(ctx, c.Facts.Store, c.Scope, f.ID)
		if err != nil {
			return nil, nil, err
		}
		versions = append(versions, of...)
	}
	return gone, versions, nil
}

// places are the rows in all their lists of facts that are gone, and last all in this one.
func (c Clearing) places(rows []row, gone []string) []store.Key {
	var out, last []store.Key
	for _, r := range rows {
		last = append(last, store.Key{PK: keys.FactListPK(c.Scope, c.List), SK: r.place})
		if !slices.Contains(gone, r.id) {
			continue
		}
		for _, list := range listsOf(c.Space, r.path, r.generation) {
			if list != c.List {
				out = append(out, store.Key{PK: keys.FactListPK(c.Scope, list), SK: r.place})
			}
		}
	}
	return append(out, last...)
}
