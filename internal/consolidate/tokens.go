package consolidate

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// affordable refuses where the workspace has used its month's tokens of the model
// (T.14).
func (s *Service) affordable(ctx context.Context, scope tenant.Scope, w tenant.Workspace) error {
	most := w.Settings.Budgets.ModelTokensPerMonth
	if most == nil {
		return nil
	}
	used, err := s.ModelTokens(ctx, scope)
	if err != nil {
		return errs.Unread(err)
	}
	if used < *most {
		return nil
	}
	return errs.New(errs.Exhausted, "BUDGET_EXHAUSTED",
		"The workspace's budget of model tokens is used up for this month; raise it or wait.")
}

// ModelTokens answers how many tokens of the model a workspace has used this month.
func (s *Service) ModelTokens(ctx context.Context, scope tenant.Scope) (int64, error) {
	return run.ModelTokens(ctx, s.Store, scope, s.Clock.Now())
}

// spent is the action that counts tokens.
func (s *Service) spent(scope tenant.Scope, tokens int) []store.Action {
	if tokens <= 0 {
		return nil
	}
	return []store.Action{run.SpendTokens("tokens", scope, s.Clock.Now(), tokens)}
}
