package memory

import (
	"context"
	"slices"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Uncite takes a citation away from a memory that has other sources: what an
// erasure does to appended text that cites the erased (R0.67).
func (s *Service) Uncite(ctx context.Context, scope tenant.Scope, id, cited string) (commit.Outcome, error) {
	t := Target{Scope: scope, Caller: Caller{Actor: ledger.Service()}}
	return s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: t.Caller.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, m, err := s.serve(ctx, t, op, id)
			if err != nil || m == nil || !m.cites(cited) {
				return commit.Plan{}, err
			}
			return c.uncite(m, cited)
		}})
}

func (c *change) uncite(m *Memory, cited string) (commit.Plan, error) {
	next := m.clone()
	delete(next.Provenance.Elsewhere, cited)
	next.Provenance.Sources = next.Provenance.Sources[:0]
	for _, s := range m.Provenance.Sources {
		if !s.Derives() || s.ID != cited {
			next.Provenance.Sources = append(next.Provenance.Sources, s)
		}
	}
	c.grow(next, size(next)-size(m))
	next.UpdatedAt = c.at
	if err := c.head("head", next, m.Revision); err != nil {
		return commit.Plan{}, err
	}
	c.plan.Actions = append(c.plan.Actions,
		store.DeleteItem("edge", keys.Derived(c.Scope, cited, m.ID), nil))
	if err := c.log(ledger.Update, next, next.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: m.ID, Version: m.Version})
}

// cites tells whether the memory is derived from another, of whichever workspace.
func (m *Memory) cites(id string) bool {
	return slices.ContainsFunc(m.Provenance.Sources, func(s Source) bool { return s.Derives() && s.ID == id })
}

// CitesOnly tells whether a memory has no source beside citations of one id: a
// cascade from there takes it (R0.67).
func (m *Memory) CitesOnly(id string) bool {
	for _, s := range m.Provenance.Sources {
		if !s.Derives() || s.ID != id {
			return false
		}
	}
	return len(m.Provenance.Sources) > 0
}
