package fact

import (
	"context"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
)

// Patch is what a person changes of a fact (A3.3). A nil member stays.
type Patch struct {
	Text        *string
	Tags        Optional[[]string]
	Confidence  Optional[float64]
	Quarantined *bool // false clears what screening caught (R3.25)
}

// Edited is a fact after a person's edit.
type Edited struct {
	*Fact
	commit.Outcome
}

// Edit makes a version that a person wrote (R3.24). The quarantine alone changes no
// version: it says nothing else. Where it is not named, a new text is screened like any
// other.
func (s *Service) Edit(ctx context.Context, t Target, id string, p Patch) (Edited, error) {
	if err := p.check(); err != nil {
		return Edited{}, err
	}
	var next *Fact
	out, err := s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, old, err := s.open(ctx, t, op, id)
			if err != nil {
				return commit.Plan{}, err
			}
			edited := *old
			next = &edited
			return c.edit(ctx, old, next, p)
		}})
	if err == nil && out.Replayed {
		next, err = s.replayed(ctx, t, out)
	}
	if err != nil {
		return Edited{}, err
	}
	return Edited{Fact: next, Outcome: out}, nil
}

func (p *Patch) check() error {
	var f faults
	if p.Text != nil {
		f.text(p.Text)
	}
	p.Tags = f.tags(p.Tags)
	f.confidence(p.Confidence)
	if p.Text == nil && !p.Tags.Set && !p.Confidence.Set && p.Quarantined == nil {
		return errs.New(errs.Invalid, "VALIDATION_FAILED", "The request must name text, tags, confidence or quarantined.")
	}
	return f.err()
}

// words tells whether the patch makes another version.
func (p Patch) words() bool { return p.Text != nil || p.Tags.Set || p.Confidence.Set }

func (c *change) edit(ctx context.Context, old, next *Fact, p Patch) (commit.Plan, error) {
	next.Quarantined = old.Quarantined || p.Text != nil && held(*p.Text)
	if p.Quarantined != nil {
		next.Quarantined = *p.Quarantined
	}
	if !p.words() {
		return c.rule(ctx, old, next)
	}
	w := wanted{path: old.Path, text: old.Text, tags: p.Tags, degree: p.Confidence, by: Person}
	if p.Text != nil {
		w.text = *p.Text
	}
	next.Edition = c.edition(w, old.Edition)
	if err := c.supersede(ctx, old, next); err != nil {
		return commit.Plan{}, err
	}
	return c.done(next)
}

// rule plans a quarantine that begins or ends; one that stays as it was changes
// nothing.
func (c *change) rule(ctx context.Context, old, next *Fact) (commit.Plan, error) {
	if old.Quarantined == next.Quarantined {
		return c.done(next)
	}
	if err := c.grow(ctx, next, 0, 0); err != nil {
		return commit.Plan{}, err
	}
	if err := c.head(next, old.Revision); err != nil {
		return commit.Plan{}, err
	}
	if err := c.log(changed(old, next), next, true); err != nil {
		return commit.Plan{}, err
	}
	return c.done(next)
}

// replayed is the fact as an edit left it; what has been erased since is missing.
func (s *Service) replayed(ctx context.Context, t Target, out commit.Outcome) (*Fact, error) {
	r, err := s.receiptOf(ctx, t.Scope, out)
	if err != nil {
		return nil, err
	}
	return s.asOf(ctx, t, r.FactID, r.Version)
}
