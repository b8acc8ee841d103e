package memory

import (
	"context"
	"maps"
	"slices"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
)

// merge plans that m joins old (S0.14, R0.34, R0.35); replace tells that its text
// takes the place of old's.
func (c *change) merge(ctx context.Context, e *embeddings, old, m *Memory, replace bool) (commit.Plan, error) {
	c.after(old)
	next := old.clone()
	c.unite(next, m)
	c.remember(next, m, replace)
	if replace {
		if err := c.replace(ctx, e, old, next, m); err != nil {
			return commit.Plan{}, err
		}
	}
	changed := replace || differs(old, next)
	if changed {
		next.UpdatedAt = c.at
	}
	if err := c.head("head", next, old.Revision); err != nil {
		return commit.Plan{}, err
	}
	c.edges(next, old.Cites())
	c.visit(m)
	if next.NonNegotiable != old.NonNegotiable {
		c.shareWithTenant(next)
	}
	if err := c.log(ledger.Merge, next, changed && next.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: next.ID, Merged: true, ContentReplaced: replace, Version: next.Version})
}

// differs tells whether a merge brought anything but a text.
func differs(old, next *Memory) bool {
	return !maps.Equal(old.Tags, next.Tags) || old.NonNegotiable != next.NonNegotiable ||
		len(old.Provenance.Sources) != len(next.Provenance.Sources) ||
		old.Importance != next.Importance || old.Provenance.Origin != next.Provenance.Origin ||
		old.worth() != next.worth()
}

// unite adds what m brings (R0.35): tags and evidence of both. A floor stays a
// floor, the higher importance stays, and of two that said the text the more
// trusted one vouches for it, so that what is trusted less cannot replace it
// later. What either derives from bounds the trust of both still.
func (c *change) unite(next, m *Memory) {
	before := size(next)
	next.Tags = maps.Clone(unitedTags(next.Tags, m.Tags))
	next.Provenance.Sources = unitedSources(next.Provenance.Sources, m.Provenance.Sources)
	next.Importance = weightier(next.Importance, m.Importance)
	next.NonNegotiable = next.NonNegotiable || m.NonNegotiable
	if m.Trust() > next.Trust() {
		p := m.Provenance
		next.Provenance.Origin, next.Provenance.KeyID, next.Provenance.SourceID = p.Origin, p.KeyID, p.SourceID
		next.Ceiling = lower(next.Ceiling, m.Ceiling)
	}
	c.grow(next, size(next)-before)
}

// remember notes who joined.
func (c *change) remember(next, m *Memory, replaced bool) {
	actor := c.Caller.Actor
	next.MergeCount++
	next.Merges = append(next.Merges, Merge{At: c.at, OperationID: c.op.ID, KeyID: actor.KeyID,
		SourceID: actor.SourceID, Origin: m.Provenance.Origin, Replaced: replaced})
	if over := len(next.Merges) - mostMerges; over > 0 {
		next.Merges = next.Merges[over:]
	}
}

// replace puts m's text in the place of old's, which is kept as a version. What m
// says is trusted no less than what old said (takes), and its origin is that of
// the text.
func (c *change) replace(ctx context.Context, e *embeddings, old, next, m *Memory) error {
	if err := c.earlier(ctx, e, old); err != nil {
		return err
	}
	if err := c.mergeable(ctx, old, false); err != nil {
		return err
	}
	next.Provenance.Origin, next.Ceiling = m.Provenance.Origin, lower(next.Ceiling, m.Ceiling)
	c.text(next, m.Content, ByMerge)
	c.reembed(ctx, e, next)
	return c.mergeable(ctx, next, true)
}

func (s Source) equal(o Source) bool {
	return s.Kind == o.Kind && s.ID == o.ID && sameInt(s.Start, o.Start) && sameInt(s.End, o.End)
}

func sameInt(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// clone copies what changes in place.
func (m *Memory) clone() *Memory {
	next := *m
	next.Tags = maps.Clone(m.Tags)
	next.Provenance.Sources = slices.Clone(m.Provenance.Sources)
	next.Provenance.Elsewhere = maps.Clone(m.Provenance.Elsewhere)
	next.Merges = slices.Clone(m.Merges)
	return &next
}
