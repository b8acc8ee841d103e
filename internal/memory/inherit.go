package memory

import (
	"context"
	"slices"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Reason codes of what is held for the texts that it derives from; those of a text
// itself are internal/screen's.
const (
	TaintedSource       = "tainted_source"       // a cited text is in quarantine
	UnreviewedPromotion = "unreviewed_promotion" // rules and instructions made of what a tool or the web said
)

// inherit bounds m's trust by the memories that it cites, as far as they are there
// and visible to who writes it, and answers why it must be held. A bound that it has
// already stays: to erase a source makes nothing more trusted. Only a text that cites
// any costs a read.
func (c *change) inherit(ctx context.Context, m *Memory) ([]string, error) {
	cites := m.Cites()
	if len(cites) == 0 && m.Ceiling == nil {
		return nil, nil
	}
	cited, err := c.cited(ctx, cites)
	if err != nil {
		return nil, err
	}
	cited = slices.DeleteFunc(cited, func(s *Memory) bool { return s == nil || !s.Visible(c.Caller, m.Subject) })
	return m.inherit(cited), nil
}

// cited reads cited memories: of this workspace, else those that another one shares
// with the tenant (R0.66). What is not there is nil.
func (c *change) cited(ctx context.Context, list []string) ([]*Memory, error) {
	out, err := loadHeads(ctx, c.store, c.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var rows []store.Key
	for i, id := range list {
		if out[i] == nil {
			rows = append(rows, keys.TenantMemory(c.Scope.TenantID(), id))
		}
	}
	items, err := getMany(ctx, c.store, rows)
	if err != nil {
		return nil, errs.Unread(err)
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		row := DecodeTenantRow(*item)
		m, err := Head(ctx, c.store, c.Scope.Sibling(row.WorkspaceID), row.ID)
		if err != nil {
			return nil, errs.Unread(err)
		}
		out = append(out, m)
	}
	return out, nil
}

// inherit bounds m's trust by that of the memories it derives from and answers why
// it must be held. One in quarantine counts as if it were released: a reviewer who
// releases m decides that it may be used, not that nothing in it counts.
func (m *Memory) inherit(cited []*Memory) []string {
	tainted := false
	for _, s := range cited {
		worth := s.worth()
		m.Ceiling = lower(m.Ceiling, &worth)
		tainted = tainted || s.Status == Quarantined
	}
	unsure := m.worth() <= trust[FromTool]
	var reasons []string
	if tainted {
		reasons = append(reasons, TaintedSource)
	}
	if unsure && (m.Type == Policy || m.Type == Procedure) {
		reasons = append(reasons, UnreviewedPromotion)
	}
	return reasons
}

// lower is the lower of two bounds; nil is none.
func lower(a, b *float64) *float64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// union are the reasons of both, sorted, each once.
func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
