package memory

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Deps is what a Service is made of. Reading needs Store alone.
type Deps struct {
	Store    store.Store
	Commit   commit.Doer
	Embedder embed.Embedder
	IDs      *ids.Source
	Clock    clock.Clock // where lists begin
	Random   io.Reader   // of salts; nil: crypto/rand
	// Events answers how far the telling of an operation has come; nil: there is nobody
	// to tell (T.59).
	Events func(ctx context.Context, scope tenant.Scope, op ledger.Operation) (Effect, error)
}

// Service reads and writes the memories of /v1/memory.
type Service struct {
	Deps
	secrets *keyed.Secrets
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Random == nil {
		d.Random = rand.Reader
	}
	return &Service{Deps: d, secrets: keyed.NewSecrets(d.Store)}
}

// Target names what a call acts on, and as whom.
type Target struct {
	Scope     tenant.Scope
	Workspace tenant.Workspace
	Caller    Caller
	Key       *idem.Key // nil: the call carried no Idempotency-Key
}

// Hasher answers the workspace's keyed hashes.
func (s *Service) Hasher(ctx context.Context, scope tenant.Scope) (Hasher, error) {
	h, err := s.secrets.Of(ctx, scope)
	return Hasher{h}, errs.Unread(err)
}

// receipt is what the operation's row and the idempotency record keep of a write:
// ids and flags, never content.
type receipt struct {
	MemoryID        string `json:"memoryId"`
	Merged          bool   `json:"merged,omitempty"`
	ContentReplaced bool   `json:"contentReplaced,omitempty"`
	Deferred        bool   `json:"deferred,omitempty"` // an embed job was left; its id is the operation's
	Version         int64  `json:"version"`            // after the write
}

func (r receipt) encode() ([]byte, error) {
	out, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("memory: receipt: %w", err)
	}
	return out, nil
}

func decodeReceipt(raw []byte) (receipt, error) {
	var r receipt
	if err := json.Unmarshal(raw, &r); err != nil {
		return receipt{}, fmt.Errorf("memory: stored receipt: %w", err)
	}
	return r, nil
}

// receiptOf answers what a write did. A replay of a write whose memory was erased
// has lost its reference; the operation's row still has the ids (R0.79).
func (s *Service) receiptOf(ctx context.Context, scope tenant.Scope, out commit.Outcome) (receipt, error) {
	raw := out.Result
	if len(raw) == 0 {
		op, found, err := ledger.ReadOperation(ctx, s.Store, scope, out.OperationID)
		if err != nil {
			return receipt{}, errs.Unread(err)
		}
		if !found {
			return receipt{}, errs.Missing()
		}
		raw = op.Result
	}
	return decodeReceipt(raw)
}
