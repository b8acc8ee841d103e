package fact

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Deps is what a Service is made of. Reading needs Store alone.
type Deps struct {
	Store  store.Store
	Commit commit.Doer
	IDs    *ids.Source
	Random io.Reader // of salts; nil: crypto/rand
	Most   int64     // facts of a memory; 0: MaxFacts
}

// Service reads and writes the facts of /v0/memory.
type Service struct {
	Deps
	secrets *keyed.Secrets
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Random == nil {
		d.Random = rand.Reader
	}
	if d.Most == 0 {
		d.Most = MaxFacts
	}
	return &Service{Deps: d, secrets: keyed.NewSecrets(d.Store)}
}

// receipt is what the operation's row and the idempotency record keep of a write: ids
// and flags, never content.
type receipt struct {
	FactID  string `json:"factId"`
	Version int64  `json:"version"` // after the write
}

func (r receipt) encode() ([]byte, error) {
	out, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("fact: receipt: %w", err)
	}
	return out, nil
}

// receiptOf answers what a write did. A replay of a write whose fact was erased has
// lost its reference; the operation's row still has the ids.
func (s *Service) receiptOf(ctx context.Context, scope tenant.Scope, out commit.Outcome) (receipt, error) {
	raw := out.Result
	if len(raw) == 0 {
		op, found, err := ledger.ReadOperation(ctx, s.Store, scope, out.OperationID)
		if err != nil || !found {
			return receipt{}, missingOr(err)
		}
		raw = op.Result
	}
	var r receipt
	if err := json.Unmarshal(raw, &r); err != nil {
		return receipt{}, fmt.Errorf("fact: stored receipt: %w", err)
	}
	return r, nil
}

// missingOr is the error of something that was not found, or could not be read.
func missingOr(err error) error {
	if err != nil {
		return errs.Unread(err)
	}
	return errs.Missing()
}
