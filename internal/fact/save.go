package fact

import (
	"context"
	"slices"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
)

// Saved is the answer of a save.
type Saved struct {
	*Fact
	Repeated bool // the run has used the key before: this is what it wrote then (S3.31)
	commit.Outcome
}

// Save stores a fact, or another version of one (S3.24, S3.30). A key that the run has
// used is answered before the rest is looked at (R3.28). The draft's faults, 409 no_user
// and 403 other_user come next, then 404 for what is replaced, 422 for a move across a
// user's border (R3.7), and 409 memory_full.
func (s *Service) Save(ctx context.Context, t Target, d Draft) (Saved, error) {
	if err := t.mayWrite(); err != nil {
		return Saved{}, err
	}
	w, fault := d.check(t.Border)
	id := s.IDs.NewFact()
	var saved Saved
	out, err := s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (plan commit.Plan, err error) {
			saved = Saved{}
			if saved.Fact, saved.Repeated, err = s.writtenFirst(ctx, t, d.Key); err != nil || saved.Repeated {
				return commit.Plan{}, err
			}
			if fault != nil {
				return commit.Plan{}, fault
			}
			saved.Fact, plan, err = s.save(ctx, t, op, id, w)
			return plan, err
		}})
	if err != nil {
		return Saved{}, err
	}
	saved.Outcome = out
	return saved, nil
}

// save plans what a checked draft asks for and answers the fact as it will be.
func (s *Service) save(ctx context.Context, t Target, op commit.Operation, id string, w wanted) (*Fact, commit.Plan, error) {
	if w.replaced {
		return s.replace(ctx, t, op, w)
	}
	c, err := s.change(ctx, t, op)
	if err != nil {
		return nil, commit.Plan{}, err
	}
	f, err := c.create(ctx, id, w)
	if err != nil {
		return nil, commit.Plan{}, err
	}
	plan, err := c.saved(f, w)
	return f, plan, err
}

func (c *change) create(ctx context.Context, id string, w wanted) (*Fact, error) {
	f := &Fact{ID: id, Space: c.Space.hash, CreatedAt: c.at}
	var err error
	if f.Salt, err = ledger.NewSalt(c.Random); err != nil {
		return nil, err
	}
	f.Edition = c.edition(w, Edition{})
	f.Quarantined, f.Bytes = held(f.Text), f.size()
	n, err := c.count(ctx, c.Target)
	if err != nil {
		return nil, err
	}
	if err := c.admit(n, id, c.Most); err != nil {
		return nil, err
	}
	if !n.found() && c.Space.agent != "" { // people see no experiments (S3.58)
		c.put("agent", agentItem(c.Scope, c.Space), nil)
	}
	if err := c.grow(ctx, f, 1, f.Bytes); err != nil {
		return nil, err
	}
	if err := c.head(f, 0); err != nil {
		return nil, err
	}
	c.list(nil, f)
	if f.Quarantined {
		return f, c.log(ledger.Quarantine, f, false)
	}
	return f, c.log(ledger.Create, f, true)
}

// edition is the version that follows one.
func (c *change) edition(w wanted, before Edition) Edition {
	e := Edition{Version: before.Version + 1, Path: w.path, Text: w.text, Tags: before.Tags, Confidence: before.Confidence,
		UpdatedAt: c.at, Source: Source{RunID: c.RunID, WrittenBy: w.by}}
	if w.tags.Set {
		e.Tags = nil
		if w.tags.Value != nil {
			e.Tags = slices.Clone(*w.tags.Value)
		}
	}
	if w.degree.Set {
		e.Confidence = w.degree.Value
	}
	return e
}

// saved remembers the key and completes the plan.
func (c *change) saved(f *Fact, w wanted) (commit.Plan, error) {
	if w.key != "" {
		c.remember(w.key, f)
	}
	return c.done(f)
}

func (s *Service) replace(ctx context.Context, t Target, op commit.Operation, w wanted) (*Fact, commit.Plan, error) {
	c, old, err := s.open(ctx, t, op, w.replaces)
	if err != nil {
		return nil, commit.Plan{}, err
	}
	if !Moves(old.Path, w.path) {
		return nil, commit.Plan{}, errs.Validation(errs.Field{Pointer: "/path", Rule: "must not cross the border of an end user's folder"})
	}
	next := *old
	next.Edition = c.edition(w, old.Edition)
	if err := c.succeed(ctx, old, &next); err != nil {
		return nil, commit.Plan{}, err
	}
	plan, err := c.saved(&next, w)
	return &next, plan, err
}

// succeed writes another version over a fact. What is in quarantine stays there until
// a person clears it (R3.25).
func (c *change) succeed(ctx context.Context, old, next *Fact) error {
	next.Quarantined = old.Quarantined || held(next.Text)
	return c.supersede(ctx, old, next)
}

func (c *change) supersede(ctx context.Context, old, next *Fact) error {
	version, err := versionItem(c.Scope, old.ID, old.Edition)
	if err != nil {
		return err
	}
	c.put("version", version, store.IfAbsent())
	next.Bytes += next.size()
	if err := c.grow(ctx, next, 0, next.size()); err != nil {
		return err
	}
	if err := c.head(next, old.Revision); err != nil {
		return err
	}
	c.list(old, next)
	return c.log(changed(old, next), next, old.Searched() || next.Searched())
}

// changed names what happened to a fact.
func changed(old, next *Fact) ledger.Op {
	switch {
	case next.Quarantined && !old.Quarantined:
		return ledger.Quarantine
	case old.Quarantined && !next.Quarantined:
		return ledger.Release
	}
	return ledger.Update
}
