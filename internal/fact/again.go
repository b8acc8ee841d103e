package fact

import (
	"context"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// BuryAgain makes a tombstone of a fact that is there again although its erasure is
// complete: no id is given twice, so it is no other fact. It is taken off no count, for
// what comes back beside the service was added to none. with are actions that go into
// the commit.
func (s *Service) BuryAgain(ctx context.Context, scope tenant.Scope, id string, with ...store.Action) error {
	_, err := s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: ledger.Service(),
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			f, err := Head(ctx, s.Store, scope, id)
			if err != nil || f == nil || f.Deleted {
				return commit.Plan{}, err
			}
			c := &change{Target: Target{Scope: scope, Space: Space{hash: f.Space}}, Service: s, at: utc(op.At)}
			if err := c.lay(f); err != nil {
				return commit.Plan{}, err
			}
			c.plan.Actions = append(c.plan.Actions, with...)
			return c.done(f)
		}})
	return err
}
