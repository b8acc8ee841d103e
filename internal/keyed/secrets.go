package keyed

import (
	"context"
	"sync"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// AttrKey is the attribute of keys.Secret that holds the key: it is made with the
// workspace and never changes.
const AttrKey = "key"

const mostKnown = 10_000 // kept in process; more are read again

// Secrets reads and keeps the workspaces' keys. It is safe for concurrent use.
type Secrets struct {
	store store.Store

	mu    sync.RWMutex
	known map[tenant.Scope]Hasher
}

// NewSecrets reads from a store.
func NewSecrets(s store.Store) *Secrets { return &Secrets{store: s} }

// Of answers a workspace's hasher.
func (s *Secrets) Of(ctx context.Context, scope tenant.Scope) (Hasher, error) {
	s.mu.RLock()
	h, found := s.known[scope]
	s.mu.RUnlock()
	if found {
		return h, nil
	}
	item, found, err := s.store.Get(ctx, keys.Secret(scope))
	if err != nil {
		return Hasher{}, err
	}
	key := item.Attrs.Bytes(AttrKey)
	if !found || len(key) == 0 {
		return Hasher{}, errs.New(errs.Internal, "INTERNAL", "The workspace has no key for its hashes.")
	}
	h = New(key)
	s.keep(scope, h)
	return h, nil
}

func (s *Secrets) keep(scope tenant.Scope, h Hasher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= mostKnown {
		s.known = map[tenant.Scope]Hasher{}
	}
	s.known[scope] = h
}
