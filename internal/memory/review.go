package memory

import (
	"context"
	"strconv"
	"unicode/utf8"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Ruling asks for the end of a quarantine (R0.52).
type Ruling struct {
	ID      string
	Verdict Verdict
	Note    string
	Allows  func(version int64) bool // If-Match; nil: none
}

// Review releases or rejects a memory in quarantine. Callers hold memory:review;
// they need not name the memory's subject, which the quarantine list does not
// tell.
func (s *Service) Review(ctx context.Context, t Target, r Ruling) (Changed, error) {
	if err := r.check(); err != nil {
		return Changed{}, err
	}
	e := s.embeddings()
	var next *Memory
	out, err := s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Caller.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, held, err := s.held(ctx, t, op, r)
			if err != nil {
				return commit.Plan{}, err
			}
			if next = held.clone(); r.Verdict == Reject {
				return c.rejectHeld(ctx, held, r)
			}
			return c.release(ctx, e, held, next, r)
		}})
	if err == nil && r.Verdict == Reject {
		return Changed{&Memory{ID: r.ID}, out}, nil
	}
	return s.changed(ctx, t, out, next, err)
}

func (r Ruling) check() error {
	f := &faults{}
	if r.Verdict != Release && r.Verdict != Reject {
		f.add("decision", "must be release or reject")
	}
	if utf8.RuneCountInString(r.Note) > MaxNote || !sound(r.Note) {
		f.add("note", "must have at most "+strconv.Itoa(MaxNote)+" characters, without NUL")
	}
	return f.err()
}

// held begins a change of a memory in quarantine. What was decided before is a
// conflict; what was never held is missing.
func (s *Service) held(ctx context.Context, t Target, op commit.Operation, r Ruling) (*change, *Memory, error) {
	c, err := s.change(ctx, t, op)
	if err != nil {
		return nil, nil, err
	}
	m, err := Head(ctx, s.Store, t.Scope, r.ID)
	switch {
	case err != nil:
		return nil, nil, errs.Unread(err)
	case m != nil && m.Status == Quarantined:
		c.after(m)
		return c, m, c.mayChange(m, r.Allows)
	case m != nil && m.Review != nil && (!m.IsDeleted() || m.Review.Verdict == Reject):
		return nil, nil, errs.New(errs.Conflict, "ALREADY_DECIDED", "A reviewer has decided on this entry already.")
	}
	return nil, nil, errs.Missing()
}

func (c *change) verdict(r Ruling) *Review {
	return &Review{Verdict: r.Verdict, At: c.at, KeyID: c.Caller.Actor.KeyID, Note: r.Note}
}

// release plans the end of a quarantine: the memory is what it would have been
// had it never been held, with its origin and trust, but it merges into none. What
// was superseded before is superseded again.
func (c *change) release(ctx context.Context, e *embeddings, held, next *Memory, r Ruling) (commit.Plan, error) {
	next.Status, next.Review, next.UpdatedAt = Active, c.verdict(r), c.at
	next.free(c.at)
	if next.Temporal.SupersededAt != nil {
		next.Status = Superseded
	}
	c.edited(held)
	if err := c.rehome(ctx, next); err != nil {
		return commit.Plan{}, err
	}
	if err := c.readmit(ctx, next); err != nil {
		return commit.Plan{}, err
	}
	if err := c.admitParts(ctx, next, next.Parts); err != nil {
		return commit.Plan{}, err
	}
	changed, err := c.settle(ctx, next)
	if err != nil {
		return commit.Plan{}, err
	}
	c.remove("quarantine", keys.Quarantined(c.Scope, next.ID))
	if err := c.head("head", next, held.Revision); err != nil {
		return commit.Plan{}, err
	}
	if err := c.log(ledger.Release, next, next.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	if err := c.logSuperseded(changed); err != nil {
		return commit.Plan{}, err
	}
	c.embed(ctx, e, next)
	return c.done(receipt{MemoryID: next.ID, Version: next.Version})
}

// settle gives a memory its look-up rows: it may become, or be older than, the
// current value of its attribute, and if it is active it can be merged into.
func (c *change) settle(ctx context.Context, m *Memory) (changed []*Memory, err error) {
	row, err := c.readCurrent(ctx, m)
	if err != nil {
		return nil, err
	}
	if changed, err = c.settled(ctx, m, row, claimedBy(m)); err != nil {
		return nil, err
	}
	if m.Status != Active {
		return changed, nil
	}
	return changed, c.mergeable(ctx, m, true)
}

// rejectHeld plans the end of a rejected memory and leaves the tombstones of its
// value (A0.5). The note goes with the content.
func (c *change) rejectHeld(ctx context.Context, held *Memory, r Ruling) (commit.Plan, error) {
	c.edited(held)
	c.reject(c.hash.refusals(c.Scope, held, formsOf(held.Content), c.at))
	review := c.verdict(r)
	review.Note = ""
	return c.bury(ctx, held, false, review)
}

// Held is a page of the quarantine list.
type Held struct {
	Entries []*Memory
	Next    string // position of the next page; empty: the end
}

// Quarantine lists memories in quarantine, newest first (R0.52), from behind a
// position on.
func (s *Service) Quarantine(ctx context.Context, t Target, limit int, after string) (Held, error) {
	var out Held
	q := store.Query{PK: keys.QuarantinePK(t.Scope), To: after, Desc: true, Limit: limit + 2}
	for {
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return Held{}, errs.Unread(err)
		}
		found, err := s.heldOf(ctx, t, page.Items, after)
		if err != nil {
			return Held{}, err
		}
		out.Entries = append(out.Entries, found...)
		if len(out.Entries) > limit {
			out.Entries = out.Entries[:limit]
			out.Next = out.Entries[limit-1].ID
			return out, nil
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

func (s *Service) heldOf(ctx context.Context, t Target, items []store.Item, after string) ([]*Memory, error) {
	var list []string
	for _, item := range items {
		if item.Key.SK != after {
			list = append(list, item.Key.SK)
		}
	}
	found, err := Load(ctx, s.Store, t.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var out []*Memory
	for _, m := range found {
		if m != nil && m.Status == Quarantined {
			out = append(out, m)
		}
	}
	return out, nil
}
