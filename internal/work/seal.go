package work

import (
	"context"
	"errors"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Sealer seals read receipts into the chain in batches (T.19).
type Sealer struct {
	Store   store.Store
	Commit  commit.Doer
	Journal ledger.Journal
}

// Run seals what is unsealed and answers how many receipts. A scope that cannot
// be sealed now is left for the next run and holds up no other.
func (s Sealer) Run(ctx context.Context) (int, error) {
	sealed := 0
	var failures []error
	skip := map[tenant.Scope]bool{}
	for ctx.Err() == nil {
		batches, err := s.Journal.Unsealed(ctx, skip)
		if err != nil {
			failures = append(failures, err)
			break
		}
		if len(batches) == 0 {
			break
		}
		for _, b := range batches {
			if skip[b.Scope] {
				continue // its earlier batch failed
			}
			if err := s.seal(ctx, b.Scope, b.Receipts); err != nil {
				skip[b.Scope] = true
				failures = append(failures, err)
				continue
			}
			sealed += len(b.Receipts)
		}
	}
	return sealed, errors.Join(failures...)
}

func (s Sealer) seal(ctx context.Context, scope tenant.Scope, receipts []ledger.Receipt) error {
	_, err := s.Commit.Do(ctx, commit.Write{
		Scope: scope, Actor: ledger.Service(),
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			actions, entry, err := ledger.SealOf(ctx, s.Store, scope, op.ID, receipts)
			if err != nil || entry == nil {
				return commit.Plan{}, err
			}
			return commit.Plan{Actions: actions, Entries: []ledger.Entry{*entry}}, nil
		},
	})
	if err != nil {
		return err
	}
	ids := make([]string, 0, len(receipts))
	for _, r := range receipts {
		ids = append(ids, r.ID)
	}
	return s.Journal.Sealed(ctx, scope, ids)
}
