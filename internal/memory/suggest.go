package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// MaxAlike is the most pairs that Alike answers for one memory.
const MaxAlike = 10

// Pair is two memories that look the same and are not safe to merge: their cosine
// says yes, their words (A0.1) say no. A person decides.
type Pair struct {
	ID, Other string // of Alike: the older id first
	Cosine    float64
}

// Alike finds, for each of the memories, others of its layer, run, subject and type
// whose cosine reaches the workspace's threshold and whose duplicate keys differ.
// The index proposes; text, standing and cosine are the table's. What is not active,
// over, or not embedded yet is in no pair. Pairs come once each, most alike first.
func (s *Service) Alike(ctx context.Context, t Target, index search.Index, list []string) ([]Pair, error) {
	h, err := s.Hasher(ctx, t.Scope)
	if err != nil {
		return nil, err
	}
	a := alikes{Service: s, Target: t, hash: h, index: index, now: s.Clock.Now(), profile: s.Embedder.Profile().Name()}
	asked, err := a.read(ctx, list)
	if err != nil {
		return nil, err
	}
	found := map[Pair]bool{}
	for _, m := range asked {
		if err := a.of(ctx, m, found); err != nil {
			return nil, err
		}
	}
	out := make([]Pair, 0, len(found))
	for p := range found {
		out = append(out, p)
	}
	slices.SortFunc(out, func(p, o Pair) int {
		return cmp.Or(cmp.Compare(o.Cosine, p.Cosine), cmp.Compare(p.ID, o.ID), cmp.Compare(p.Other, o.Other))
	})
	return out, nil
}

// alikes is one call of Alike.
type alikes struct {
	*Service
	Target
	hash    Hasher
	index   search.Index
	now     time.Time
	profile string
}

// embedded is a memory with the vector of its text.
type embedded struct {
	*Memory
	vector []float32
}

// read reads memories that may be in a pair, each once.
func (a *alikes) read(ctx context.Context, list []string) ([]embedded, error) {
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	heads, err := Load(ctx, a.Store, a.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	vectors, err := LoadVectors(ctx, a.Store, a.Scope, list, a.profile)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var out []embedded
	for i, m := range heads {
		if m != nil && m.Status == Active && m.Indexed() && !m.expired(a.now) &&
			vectors[i].Version == m.Version && len(vectors[i].Values) > 0 {
			out = append(out, embedded{m, vectors[i].Values})
		}
	}
	return out, nil
}

// of adds the pairs of one memory.
func (a *alikes) of(ctx context.Context, m embedded, found map[Pair]bool) error {
	answer, err := a.index.Search(ctx, search.Query{
		Scopes: []tenant.Scope{m.IndexScope(a.Scope)}, Filter: m.beside(), Now: a.now, Without: []string{m.ID},
		Vector: m.vector, Profile: a.profile, Semantic: 2 * MaxAlike,
	})
	if err = cmp.Or(err, answer.SemanticErr); err != nil {
		return errs.Unread(err)
	}
	var near []string
	for _, hit := range answer.Hits {
		if hit.HasVec {
			near = append(near, cmp.Or(hit.Item, hit.ID))
		}
	}
	others, err := a.read(ctx, near)
	if err != nil {
		return err
	}
	pairs := a.pairs(m, others)
	for _, p := range pairs[:min(len(pairs), MaxAlike)] {
		found[p] = true
	}
	return nil
}

// pairs are those of m with others, most alike first.
func (a *alikes) pairs(m embedded, others []embedded) []Pair {
	key := a.hash.duplicate(m.Memory, formsOf(m.Content))
	var out []Pair
	for _, o := range others {
		cosine := embed.Cosine(m.vector, o.vector)
		if o.ID == m.ID || cosine < a.Workspace.Settings.MergeThreshold || o.Type != m.Type || !slices.Equal(o.place(), m.place()) ||
			a.hash.duplicate(o.Memory, formsOf(o.Content)) == key {
			continue
		}
		out = append(out, Pair{ID: min(m.ID, o.ID), Other: max(m.ID, o.ID), Cosine: cosine})
	}
	slices.SortFunc(out, func(p, o Pair) int {
		return cmp.Or(cmp.Compare(o.Cosine, p.Cosine), cmp.Compare(p.ID, o.ID), cmp.Compare(p.Other, o.Other))
	})
	return out
}

// beside is the filter of the current memories in the very place of m and of its
// type.
func (m *Memory) beside() search.Filter {
	all := []search.Filter{
		{Field: FieldKind, In: []string{Family}}, {Field: FieldLayer, In: []string{string(m.Layer)}},
		{Field: FieldType, In: []string{string(m.Type)}}, {Field: FieldStatus, In: []string{string(Active)}},
		exactly(FieldApplication, m.Subject.ApplicationID), exactly(FieldAgent, m.Subject.AgentID), exactly(FieldUser, m.Subject.UserID),
	}
	if m.Layer == Session {
		all = append(all, exactly(FieldRun, m.RunID))
	}
	return search.Filter{All: all}
}

// exactly is the condition that a field has a value, or none where it is empty.
func exactly(field, value string) search.Filter {
	if value == "" {
		return search.Filter{Field: field, Missing: true}
	}
	return search.Filter{Field: field, In: []string{value}}
}
