package memory

import (
	"context"
	"maps"

	"holdfast/internal/commit"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
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
	exact   string // of the content
}

func (s *Service) addition(t Target, d Draft, base string) (*addition, error) {
	m, err := d.Check(t.Caller, base)
	if err != nil {
		return nil, err
	}
	return &addition{memory: s.named(m), reasons: m.reasons(), exact: exactForm(m.Content)}, nil
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
	look, err := c.look(ctx, a, m)
	if err != nil {
		return commit.Plan{}, err
	}
	if err := c.admit(look.rejected, look.isRejected); err != nil {
		return commit.Plan{}, err
	}
	if m.Status == Quarantined {
		return c.hold(ctx, m)
	}
	old, same, err := c.twin(ctx, a, m, look.duplicates)
	if err != nil {
		return commit.Plan{}, err
	}
	if old != nil && (same || c.alike(ctx, e, old, m)) {
		return c.merge(ctx, e, old, m, !same)
	}
	return c.create(ctx, e, m, look.current)
}

// fresh is the memory that the addition becomes if it joins no other.
func (c *change) fresh(a *addition) (*Memory, error) {
	m := *a.memory
	m.Tags = maps.Clone(a.memory.Tags)
	m.WorkspaceID = c.Scope.WorkspaceID()
	m.Version, m.Status = 1, Active
	m.CreatedAt, m.UpdatedAt, m.Temporal.RecordedAt = c.at, c.at, c.at
	m.Edition = c.edition(ByAppend)
	m.Provenance.KeyID, m.Provenance.SourceID = c.Caller.Actor.KeyID, c.Caller.Actor.SourceID
	m.Provenance.OperationID = c.op.ID
	if len(a.reasons) > 0 {
		m.Status, m.Quarantine = Quarantined, &Quarantine{Reasons: a.reasons, At: c.at}
	}
	var err error
	m.Salt, err = newSalt(c.random)
	return &m, err
}

// look is what the table knows of a text before it is stored: one read.
type look struct {
	rejected   store.Key // where a rejection of the value lies
	isRejected bool
	duplicates *duplicateRow
	current    *currentValue // nil: the memory has no attribute
}

func (c *change) look(ctx context.Context, a *addition, m *Memory) (look, error) {
	out := look{rejected: keys.Rejected(c.Scope, c.hash.rejected(m, a.exact))}
	at := []store.Key{out.rejected, keys.Duplicate(c.Scope, c.hash.duplicate(m, a.exact))}
	if m.Attribute != "" {
		at = append(at, keys.Attribute(c.Scope, c.hash.attribute(m)))
	}
	items, err := c.store.GetMany(ctx, at)
	if err != nil {
		return look{}, unread(err)
	}
	out.isRejected = items[0] != nil
	out.duplicates = &duplicateRow{key: at[1]}
	if items[1] != nil {
		out.duplicates = decodeDuplicates(*items[1])
	}
	c.dups = append(c.dups, out.duplicates)
	if m.Attribute != "" {
		out.current = decodeCurrent(at[2], items[2])
	}
	return out, nil
}

// admit refuses a rejected value, unless a person with memory:review writes it
// again, which lifts the rejection (A0.5, R0.85). A value that is not rejected
// must not become so before the commit.
func (c *change) admit(at store.Key, rejected bool) error {
	switch {
	case !rejected:
		c.check("rejected", at, store.IfAbsent())
	case c.Caller.mayLift():
		c.remove("rejected", at)
	default:
		return errs.New(errs.Conflict, "REJECTED_VALUE",
			"A person has rejected this value; only a reviewer may write it again.")
	}
	return nil
}

// twin finds the memory that m may join: one whose text is the same but for case,
// composition and white space, else the newest with the same words. A memory with
// another attribute is none.
func (c *change) twin(ctx context.Context, a *addition, m *Memory, row *duplicateRow) (old *Memory, same bool, err error) {
	if len(row.entries) == 0 {
		return nil, false, nil
	}
	ids := make([]string, len(row.entries))
	for i, e := range row.entries {
		ids[i] = e.id
	}
	heads, err := loadHeads(ctx, c.store, c.Scope, ids)
	if err != nil {
		return nil, false, unread(err)
	}
	exact := c.hash.exact(a.exact)
	for i := len(heads) - 1; i >= 0; i-- {
		h := heads[i]
		if h == nil || h.Status != Active || m.Attribute != "" && m.Attribute != h.Attribute {
			continue
		}
		if row.entries[i].exact == exact {
			return h, true, nil
		}
		if old == nil {
			old = h
		}
	}
	return old, false, nil
}

// alike tells whether the cosine of two texts with the same words reaches the
// workspace's threshold. Without an answer of the model both live.
func (c *change) alike(ctx context.Context, e *embeddings, old, m *Memory) bool {
	vectors, ok := e.of(ctx, m.Content, old.Content)
	return ok && embed.Cosine(vectors[0], vectors[1]) >= c.Workspace.Settings.MergeThreshold
}

// create plans a new memory.
func (c *change) create(ctx context.Context, e *embeddings, m *Memory, current *currentValue) (commit.Plan, error) {
	var superseded *Memory
	if current != nil {
		var err error
		if superseded, err = c.succeed(ctx, m, current); err != nil {
			return commit.Plan{}, err
		}
	}
	if err := c.insert(m, ledger.Create); err != nil {
		return commit.Plan{}, err
	}
	c.embed(ctx, e, m)
	if m.Status == Active {
		if err := c.mergeable(ctx, m, true); err != nil {
			return commit.Plan{}, err
		}
	}
	if superseded != nil {
		if err := c.log(ledger.Supersede, superseded, superseded.Indexed()); err != nil {
			return commit.Plan{}, err
		}
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
