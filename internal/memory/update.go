package memory

import (
	"context"

	"holdfast/internal/capability"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Revision asks for another text of a memory.
type Revision struct {
	ID      string
	Content string
	Subject Subject                  // whom the request names
	Allows  func(version int64) bool // If-Match; nil: none
}

// Changed is a memory after a write.
type Changed struct {
	*Memory
	commit.Outcome
}

// Update replaces a memory's text in place (S0.42 to S0.47).
func (s *Service) Update(ctx context.Context, t Target, r Revision) (Changed, error) {
	f := &faults{}
	f.content(r.Content)
	if err := f.err(); err != nil {
		return Changed{}, err
	}
	e := s.embeddings()
	var next *Memory
	out, err := s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Caller.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (plan commit.Plan, err error) {
			c, old, err := s.open(ctx, t, op, r.ID, r.Subject, r.Allows)
			if err != nil {
				return commit.Plan{}, err
			}
			next = old.clone()
			return c.update(ctx, e, old, next, r.Content)
		}})
	return s.changed(ctx, t, out, next, err)
}

// changed answers the memory that a write left, or for a replay what the first
// call answered.
func (s *Service) changed(ctx context.Context, t Target, out commit.Outcome, m *Memory, err error) (Changed, error) {
	if err == nil && out.Replayed {
		m, err = s.replayed(ctx, t, out)
	}
	if err == nil {
		err = s.unname(ctx, t.Scope, []*Memory{m})
	}
	if err != nil {
		return Changed{}, err
	}
	return Changed{m, out}, nil
}

// replayed is the memory as a write left it: with the text of its version. What
// has been erased since is missing (R0.79).
func (s *Service) replayed(ctx context.Context, t Target, out commit.Outcome) (*Memory, error) {
	r, err := s.receiptOf(ctx, t.Scope, out)
	if err != nil {
		return nil, err
	}
	m, err := Head(ctx, s.Store, t.Scope, r.MemoryID)
	if err != nil {
		return nil, errs.Unread(err)
	}
	if m == nil || m.IsDeleted() || out.Erased {
		return nil, errs.Missing()
	}
	if m.Version == r.Version {
		return m, nil
	}
	item, found, err := s.Store.Get(ctx, keys.MemoryVersion(t.Scope, m.ID, r.Version))
	if err != nil || !found {
		return m, errs.Unread(err)
	}
	v, err := decodeVersion(item)
	if err != nil {
		return nil, err
	}
	m.Version, m.Content, m.Edition, m.UpdatedAt = v.Version, v.Content, v.Edition, v.Edition.At
	return m, nil
}

// open begins a change of a memory that the caller may see and change: missing,
// forbidden and stale are errors, in this order.
func (s *Service) open(ctx context.Context, t Target, op commit.Operation, id string, asked Subject,
	allows func(int64) bool) (*change, *Memory, error) {
	c, err := s.change(ctx, t, op)
	if err != nil {
		return nil, nil, err
	}
	m, err := Head(ctx, s.Store, t.Scope, id)
	if err != nil {
		return nil, nil, errs.Unread(err)
	}
	if m == nil || !m.Visible(t.Caller, asked) {
		return c, m, errs.Missing()
	}
	c.after(m)
	return c, m, c.mayChange(m, allows)
}

// mayChange holds what every change of a memory asks for: memory:tenant for what
// other workspaces recall too, and the version of If-Match.
func (c *change) mayChange(m *Memory, allows func(int64) bool) error {
	if m.Layer == Tenant && !c.Caller.Tenant {
		return lacks(capability.MemoryTenant)
	}
	if allows != nil && !allows(m.Version) {
		return errs.New(errs.Precondition, "VERSION_MISMATCH", "If-Match names another version.")
	}
	return nil
}

// update plans another text. next is old's copy and becomes what is stored. The
// very text that is there already makes no new version (R0.36).
func (c *change) update(ctx context.Context, e *embeddings, old, next *Memory, content string) (commit.Plan, error) {
	if content == old.Content {
		return c.touch(old, next)
	}
	if err := c.inSession(ctx, old); err != nil {
		return commit.Plan{}, err
	}
	next.Content = content
	c.edited(old)
	if err := c.corrected(ctx, old, next); err != nil {
		return commit.Plan{}, err
	}
	if err := c.earlier(ctx, e, old); err != nil {
		return commit.Plan{}, err
	}
	next.Provenance.Origin = c.Caller.origin()
	c.text(next, content, ByUpdate)
	next.UpdatedAt = c.at
	op, err := c.rescreen(ctx, old, next)
	if err != nil {
		return commit.Plan{}, err
	}
	if old.Status == Active {
		if err := c.mergeable(ctx, old, false); err != nil {
			return commit.Plan{}, err
		}
	}
	if next.Status == Active {
		if err := c.mergeable(ctx, next, true); err != nil {
			return commit.Plan{}, err
		}
	}
	c.reembed(ctx, e, next)
	if err := c.head("head", next, old.Revision); err != nil {
		return commit.Plan{}, err
	}
	if err := c.log(op, next, old.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: next.ID, Version: next.Version})
}

// touch plans an update that changes nothing but the log.
func (c *change) touch(old, next *Memory) (commit.Plan, error) {
	if err := c.head("head", next, old.Revision); err != nil {
		return commit.Plan{}, err
	}
	if err := c.log(ledger.Update, next, false); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: next.ID, Version: next.Version})
}

// corrected refuses a rejected value, and when a person corrects a text leaves the
// tombstones of the old value (A0.5).
func (c *change) corrected(ctx context.Context, old, next *Memory) error {
	if err := c.readmit(ctx, next); err != nil {
		return err
	}
	if c.Caller.Person() {
		c.reject(c.overruled(old, next))
	}
	return nil
}

// rescreen decides where a memory stands after a new text: a dirty one is held at
// once; a clean one does not end a quarantine (R0.38).
func (c *change) rescreen(ctx context.Context, old, next *Memory) (ledger.Op, error) {
	inherited, err := c.inherit(ctx, next)
	if err != nil {
		return "", err
	}
	reasons := union(next.reasons(), inherited)
	if len(reasons) == 0 {
		return ledger.Update, nil
	}
	next.hold(c.at, reasons)
	next.Review = nil
	if old.Status == Quarantined {
		return ledger.Update, nil
	}
	c.put("quarantine", store.Item{Key: keys.Quarantined(c.Scope, next.ID), Attrs: store.Attrs{}}, nil)
	return ledger.Quarantine, c.vacate(ctx, old)
}
