package memory

import (
	"context"
	"maps"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Appended is the answer of an append (S0.12 to S0.17).
type Appended struct {
	ID              string // the surviving memory's
	Merged          bool
	ContentReplaced bool
	commit.Outcome
}

// Append stores one memory. The draft's faults, and REJECTED_VALUE, are errors.
func (s *Service) Append(ctx context.Context, t Target, d Draft) (Appended, error) {
	a, err := s.addition(t, d, "")
	if err != nil {
		return Appended{}, err
	}
	out, err := s.Commit.Do(ctx, s.write(t, a, s.embeddings()))
	if err != nil {
		return Appended{}, err
	}
	return s.appended(ctx, t, out)
}

// addition is a checked and screened draft.
type addition struct {
	memory  *Memory // id, layer, type and all that the caller gave
	reasons []string
	forms   forms // of the content
	claim   claimed
	made    *Derivation // the service's own text; nil: somebody's
}

func (s *Service) addition(t Target, d Draft, base string) (*addition, error) {
	m, err := d.Check(t.Caller, base)
	if err != nil {
		return nil, err
	}
	return &addition{memory: s.named(m), reasons: m.reasons(), forms: formsOf(m.Content), claim: claimedBy(m)}, nil
}

func (s *Service) named(m *Memory) *Memory {
	m.ID = s.IDs.New()
	return m
}

func (s *Service) write(t Target, a *addition, e *embeddings) commit.Write {
	return commit.Write{Scope: t.Scope, Actor: t.Caller.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, err := s.change(ctx, t, op)
			if err != nil {
				return commit.Plan{}, err
			}
			return c.append(ctx, a, e)
		}}
}

func (s *Service) appended(ctx context.Context, t Target, out commit.Outcome) (Appended, error) {
	r, err := s.receiptOf(ctx, t.Scope, out)
	if err != nil {
		return Appended{}, err
	}
	return Appended{ID: r.MemoryID, Merged: r.Merged, ContentReplaced: r.ContentReplaced, Outcome: out}, nil
}

// append plans an addition: refused, merged or stored.
func (c *change) append(ctx context.Context, a *addition, e *embeddings) (commit.Plan, error) {
	m, err := c.fresh(a)
	if err != nil {
		return commit.Plan{}, err
	}
	var inherited []string
	if a.made == nil { // what is derived knows what it rests on
		inherited, err = c.inherit(ctx, m)
	}
	if err != nil {
		return commit.Plan{}, err
	}
	m.hold(c.at, union(a.reasons, inherited))
	look, err := c.look(ctx, a, m)
	if err != nil {
		return commit.Plan{}, err
	}
	if a.made == nil { // what is derived is no entry of a session
		if err := c.enter(m, look.run); err != nil {
			return commit.Plan{}, err
		}
	}
	if err := c.admit(look.rejected); err != nil {
		return commit.Plan{}, err
	}
	if m.Status == Quarantined {
		c.fate = Withheld
		return c.hold(ctx, m)
	}
	if a.made != nil {
		return c.make(ctx, e, a.made, m, look)
	}
	old, same, err := c.twin(ctx, m, look)
	if err != nil {
		return commit.Plan{}, err
	}
	if old != nil && (same || c.alike(ctx, e, old, m)) {
		return c.merge(ctx, e, old, m, !same && m.Trust() >= old.Trust())
	}
	return c.create(ctx, e, m, look)
}

// fresh is the memory that the addition becomes if it joins no other.
func (c *change) fresh(a *addition) (*Memory, error) {
	m := *a.memory
	m.Tags = maps.Clone(a.memory.Tags)
	m.WorkspaceID = c.Scope.WorkspaceID()
	m.Version, m.Status = 1, Active
	m.CreatedAt, m.UpdatedAt, m.Temporal.RecordedAt = c.at, c.at, c.at
	m.Edition = c.edition(ByAppend, m.Provenance.Origin)
	m.Provenance.KeyID, m.Provenance.SourceID = c.Caller.Actor.KeyID, c.Caller.Actor.SourceID
	m.Provenance.OperationID = c.op.ID
	var err error
	m.Salt, err = ledger.NewSalt(c.random)
	return &m, err
}

// create plans a new memory.
func (c *change) create(ctx context.Context, e *embeddings, m *Memory, look look) (commit.Plan, error) {
	changed, err := c.settled(ctx, m, look.current, look.claim)
	if err != nil {
		return commit.Plan{}, err
	}
	if err := c.insert(m, ledger.Create); err != nil {
		return commit.Plan{}, err
	}
	c.embed(ctx, e, m)
	if m.Status == Active {
		look.duplicates.add(m.ID, look.exact)
		if err := c.replaceable(ctx, m, look.claim, true); err != nil {
			return commit.Plan{}, err
		}
	}
	if err := c.logSuperseded(changed); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: m.ID, Version: m.Version})
}

// hold plans a memory that goes into quarantine: no merge, no supersession
// (R0.75), no vector.
func (c *change) hold(ctx context.Context, m *Memory) (commit.Plan, error) {
	c.put("quarantine", store.Item{Key: keys.Quarantined(c.Scope, m.ID), Attrs: store.Attrs{}}, nil)
	if err := c.insert(m, ledger.Quarantine); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: m.ID, Version: m.Version})
}
