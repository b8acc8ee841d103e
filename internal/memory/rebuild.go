package memory

import (
	"context"
	"slices"
	"strconv"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Rebuild takes an erased memory out of one that is derived from it (R0.44, R0.67). A
// text that the service made of parts is made again without those that rest on the
// erased, and its earlier texts go; with no part left it is forgotten. One that rests
// on something else loses the citation; one that only cites an erased episode goes
// with it unless another source of it is there still: the entries that a consolidation
// has cleared are not. Appended text keeps its text and loses the citation, and goes
// where it has no other source; earlier texts of it that the service had made go too.
// What does not cite the erased is left alone.
//
// with are actions that go into the commit, if there is one.
func (s *Service) Rebuild(ctx context.Context, scope tenant.Scope, id, erasedID string, with ...store.Action) (commit.Outcome, error) {
	t := ServiceTarget(scope, tenant.Workspace{})
	e := s.embeddings()
	return s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: t.Caller.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, m, err := s.serve(ctx, t, op, id)
			if err != nil || m == nil || !m.cites(erasedID) {
				return commit.Plan{}, err
			}
			c.plan.Actions = append(c.plan.Actions, with...)
			return c.without(ctx, e, m, erasedID)
		}})
}

// Remade tells whether Rebuild makes the text again, so that a copy of the text as it
// is now would say more than the memory.
func (m *Memory) Remade(erasedID string) bool {
	kept := partsWithout(m.Parts, erasedID)
	return rests(kept) && textOf(m.Type, kept) != m.Content
}

func (c *change) without(ctx context.Context, e *embeddings, m *Memory, erased string) (commit.Plan, error) {
	kept := partsWithout(m.Parts, erased)
	switch {
	case m.Parts == nil && m.CitesOnly(erased), m.Parts != nil && !rests(kept):
		return c.forget(ctx, m)
	case m.Parts == nil:
		if err := c.dropMade(ctx, m); err != nil {
			return commit.Plan{}, err
		}
		return c.uncite(m, erased)
	case len(kept) == len(m.Parts) && !m.citesEpisode(erased):
		return c.uncite(m, erased)
	case len(kept) < len(m.Parts):
		return c.rebuild(ctx, e, m, kept, erased)
	}
	supported, err := c.supported(ctx, m, erased)
	if err != nil {
		return commit.Plan{}, err
	}
	if supported {
		return c.uncite(m, erased)
	}
	return c.forget(ctx, m)
}

func (c *change) forget(ctx context.Context, m *Memory) (commit.Plan, error) {
	c.edited(m)
	return c.bury(ctx, m, true, nil)
}

func partsWithout(parts []Part, id string) []Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return contains(p.Cites, id) })
}

func (m *Memory) citesEpisode(id string) bool {
	return slices.ContainsFunc(m.Provenance.Sources, func(s Source) bool { return s.Kind == EpisodeSource && s.ID == id })
}

// supported tells whether a source of m beside the erased is there still.
func (c *change) supported(ctx context.Context, m *Memory, erased string) (bool, error) {
	var others []string
	for _, s := range m.Provenance.Sources {
		if !s.Derives() {
			return true, nil
		}
		if s.ID != erased {
			others = append(others, s.ID)
		}
	}
	found, err := Load(ctx, c.store, c.Scope, others)
	if err != nil {
		return false, errs.Unread(err)
	}
	return slices.ContainsFunc(found, func(m *Memory) bool { return m != nil }), nil
}

// rebuild plans m's text made of the parts that are left. No earlier text is kept:
// it held what the erased said.
func (c *change) rebuild(ctx context.Context, e *embeddings, m *Memory, kept []Part, erased string) (commit.Plan, error) {
	next := m.clone()
	text := textOf(m.Type, kept)
	next.Provenance.Sources = slices.DeleteFunc(next.Provenance.Sources, func(s Source) bool { return s.Derives() && s.ID == erased })
	c.grow(next, size(next)-size(m))
	if text != m.Content {
		if err := c.retext(ctx, e, m, next, text); err != nil {
			return commit.Plan{}, err
		}
	}
	next.Parts, next.UpdatedAt = kept, c.at
	if err := c.head("head", next, m.Revision); err != nil {
		return commit.Plan{}, err
	}
	c.plan.Actions = append(c.plan.Actions, store.DeleteItem("edge", keys.Derived(c.Scope, erased, m.ID), nil))
	if err := c.log(ledger.Update, next, next.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: m.ID, Version: next.Version})
}

// retext gives next another text in m's place, whose bytes are given back. Vectors of
// the old text go, and so does the salt: without it the log's commitments say nothing
// of that text any more.
func (c *change) retext(ctx context.Context, e *embeddings, m, next *Memory, text string) (err error) {
	if next.Salt, err = ledger.NewSalt(c.random); err != nil {
		return err
	}
	if err := c.dropVectors(ctx, e, m); err != nil {
		return err
	}
	if m.Status == Active {
		if err := c.mergeable(ctx, m, false); err != nil {
			return err
		}
	}
	c.grow(next, -int64(len(m.Content)))
	c.text(next, text, ByRebuild)
	c.reembed(ctx, e, next)
	if m.Status != Active {
		return nil
	}
	return c.mergeable(ctx, next, true)
}

// dropVectors removes m's vectors in other profiles than the one that is embedded in
// now: nobody writes over those.
func (c *change) dropVectors(ctx context.Context, e *embeddings, m *Memory) error {
	parts, err := LoadParts(ctx, c.store, c.Scope, m.ID)
	if err != nil {
		return errs.Unread(err)
	}
	now := keys.MemoryVector(c.Scope, m.ID, e.model.Profile().Name())
	for i, key := range parts.Vectors {
		if key != now {
			c.remove("vector"+strconv.Itoa(i), key)
		}
	}
	return nil
}

// dropMade erases the earlier texts that the service made of a memory which somebody
// has written over since: nobody knows any more what each of them rested on. The salt
// goes with them.
func (c *change) dropMade(ctx context.Context, m *Memory) error {
	parts, err := LoadParts(ctx, c.store, c.Scope, m.ID)
	if err != nil {
		return errs.Unread(err)
	}
	items, err := getMany(ctx, c.store, parts.Versions)
	if err != nil {
		return errs.Unread(err)
	}
	dropped := false
	for i, item := range items {
		if item == nil {
			continue
		}
		v, err := decodeVersion(*item)
		if err != nil {
			return err
		}
		if v.Edition.Actor == ledger.Service().KeyID {
			dropped = true
			c.remove("version"+strconv.Itoa(i), item.Key)
			c.grow(m, -int64(len(v.Content)))
		}
	}
	if dropped {
		m.Salt, err = ledger.NewSalt(c.random)
	}
	return err
}

// ForgetCleared makes tombstones of session entries whose stretch is cleared, each
// with the job that erases its copies. What is not there, deleted already, in
// quarantine or not cleared is left alone.
func (s *Service) ForgetCleared(ctx context.Context, scope tenant.Scope, ids []string) error {
	t := ServiceTarget(scope, tenant.Workspace{})
	writes := make([]commit.Write, len(ids))
	for i, id := range ids {
		writes[i] = commit.Write{Scope: scope, Actor: t.Caller.Actor,
			Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
				m, gone, err := s.rowOf(ctx, scope, id)
				if err != nil || m == nil || !gone {
					return commit.Plan{}, errs.Unread(err)
				}
				c, err := s.change(ctx, t, op)
				if err != nil {
					return commit.Plan{}, err
				}
				return c.bury(ctx, m, false, nil)
			}}
	}
	_, failures := s.Commit.DoMany(ctx, writes)
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
