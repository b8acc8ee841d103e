package recall

import (
	"cmp"
	"context"
	"strings"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// tenantMemories loads the floors: policy of the tenant that may never be left
// out, read from the table and so always current (R0.24, R0.66).
func (p *pass) tenantMemories(ctx context.Context) error {
	q := store.Query{PK: keys.TenantPK(p.req.Scope.TenantID()), Prefix: keys.TenantFloorPrefix}
	for {
		page, err := p.Store.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			row := memory.DecodeTenantRow(item)
			row.ID = strings.TrimPrefix(item.Key.SK, keys.TenantFloorPrefix)
			if err := p.floor(ctx, row); err != nil {
				return err
			}
		}
		if page.Cursor == "" {
			return nil
		}
		q.Cursor = page.Cursor
	}
}

func (p *pass) floor(ctx context.Context, row memory.TenantRow) error {
	m, err := memory.Head(ctx, p.Store, p.req.Scope.Sibling(row.WorkspaceID), row.ID)
	if err != nil || m == nil {
		return err
	}
	if m.Recallable(p.req.Subject, p.req.RunID) && m.Status == memory.Active && isFloor(m) && !p.over(m) {
		p.floors = append(p.floors, m)
	}
	return nil
}

// located makes candidates of hits. A hit of the tenant's own partition does not
// say which workspace wrote it; locate finds that out.
func (p *pass) located(hits []search.Hit) []candidate {
	out := make([]candidate, 0, len(hits))
	own := p.req.Scope.Own()
	var from, home tenant.Scope
	for i := range hits {
		h := &hits[i]
		if h.Scope != from { // most are of one
			from, home = h.Scope, p.req.home(h.Scope)
		}
		out = append(out, candidate{
			scope: home, id: cmp.Or(h.Item, h.ID), version: h.Version,
			lexical: h.Lexical, cosine: h.Semantic, hasVec: h.HasVec, shared: home == own,
		})
	}
	return out
}

// locate replaces the tenant's own scope by that of the writing workspace.
func (p *pass) locate(ctx context.Context, cs []candidate) error {
	own := p.req.Scope.Own()
	var ks []store.Key
	var at []int
	for i, c := range cs {
		if c.scope == own {
			ks, at = append(ks, keys.TenantMemory(own.TenantID(), c.id)), append(at, i)
		}
	}
	for len(ks) > 0 {
		n := min(len(ks), store.MaxGetMany)
		items, err := p.Store.GetMany(ctx, ks[:n])
		if err != nil {
			return err
		}
		for j, item := range items {
			cs[at[j]].scope = tenant.Scope{} // gone meanwhile
			if item != nil {
				cs[at[j]].scope = own.Sibling(memory.DecodeTenantRow(*item).WorkspaceID)
			}
		}
		ks, at = ks[n:], at[n:]
	}
	return nil
}
