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
	next := old.clone()
	c.unite(next, m)
	c.remember(next, m, replace)
	if replace {
		if err := c.replace(ctx, e, old, next, m); err != nil {
			return commit.Plan{}, err
		}
	}
	changed := replace || !sameTags(old, next) || old.NonNegotiable != next.NonNegotiable ||
		len(old.Provenance.Sources) != len(next.Provenance.Sources)
	if changed {
		next.UpdatedAt = c.at
	}
	if err := c.head("head", next, old.Revision); err != nil {
		return commit.Plan{}, err
	}
	c.edges(next, old.Cites())
	if next.NonNegotiable != old.NonNegotiable {
		c.shareWithTenant(next)
	}
	if err := c.log(ledger.Merge, next, changed && next.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: next.ID, Merged: true, ContentReplaced: replace, Version: next.Version})
}

// unite adds what m brings: tags of both, where the new value of a key wins, and
// its evidence. A floor stays a floor. Counts are bounded, the older gives way.
func (c *change) unite(next, m *Memory) {
	before := size(next)
	tags := maps.Clone(m.Tags)
	for _, key := range slices.Sorted(maps.Keys(next.Tags)) {
		if _, newer := tags[key]; !newer && len(tags) < mostTags {
			if tags == nil {
				tags = map[string]string{}
			}
			tags[key] = next.Tags[key]
		}
	}
	next.Tags = tags
	for _, source := range m.Provenance.Sources {
		if len(next.Provenance.Sources) < mostSources && !slices.ContainsFunc(next.Provenance.Sources, source.equal) {
			next.Provenance.Sources = append(next.Provenance.Sources, source)
		}
	}
	if next.Importance == nil {
		next.Importance = m.Importance
	}
	next.NonNegotiable = next.NonNegotiable || m.NonNegotiable
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

// replace puts m's text in the place of old's, which is kept as a version. The
// text is then trusted no more than the less trusted of the two.
func (c *change) replace(ctx context.Context, e *embeddings, old, next, m *Memory) error {
	if err := c.earlier(old); err != nil {
		return err
	}
	if err := c.mergeable(ctx, old, false); err != nil {
		return err
	}
	c.text(next, m.Content, ByMerge)
	if trust[m.Provenance.Origin] < trust[next.Provenance.Origin] {
		next.Provenance.Origin = m.Provenance.Origin
	}
	c.reembed(ctx, e, next)
	return c.mergeable(ctx, next, true)
}

func sameTags(a, b *Memory) bool { return maps.Equal(a.Tags, b.Tags) }

func (s Source) equal(o Source) bool {
	return s.Kind == o.Kind && s.ID == o.ID && sameInt(s.Start, o.Start) && sameInt(s.End, o.End)
}

func sameInt(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// clone copies what changes in place.
func (m *Memory) clone() *Memory {
	next := *m
	next.Tags = maps.Clone(m.Tags)
	next.Provenance.Sources = slices.Clone(m.Provenance.Sources)
	next.Merges = slices.Clone(m.Merges)
	return &next
}
