package apikey

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Options are what a Service needs.
type Options struct {
	Store   store.Store
	Clock   clock.Clock
	Random  io.Reader // of secrets; nil: crypto/rand
	RootKey string    // empty: there is no root key
	Cached  int       // most keys kept in process; 0: 10,000
}

// Service checks keys and makes new ones. It is safe for concurrent use.
type Service struct {
	store  store.Store
	clock  clock.Clock
	random io.Reader
	root   *[sha256.Size]byte
	cache  *cache
}

// New makes a Service. Of the root key it keeps the SHA-256 only.
func New(o Options) *Service {
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Cached <= 0 {
		o.Cached = defaultCached
	}
	s := &Service{store: o.Store, clock: o.Clock, random: o.Random, cache: newCache(o.Cached)}
	if o.RootKey != "" {
		sum := Digest(o.RootKey)
		s.root = &sum
	}
	return s
}

// Authenticate answers whose key a bearer text is. A missing, malformed,
// unknown, expired or revoked key is one and the same error (T.2); only a store
// that does not answer is another.
func (s *Service) Authenticate(ctx context.Context, bearer string) (Principal, error) {
	if s.isRoot(bearer) {
		return root(), nil
	}
	keyID, secret, ok := Parse(bearer)
	if !ok {
		return Principal{}, refused()
	}
	row, err := s.row(ctx, keyID)
	if err != nil {
		return Principal{}, err
	}
	sum := Digest(secret)
	if row == nil || subtle.ConstantTimeCompare(sum[:], row.digest[:]) != 1 || row.principal.expired(s.clock.Now()) {
		return Principal{}, refused()
	}
	return row.principal, nil
}

func (s *Service) isRoot(bearer string) bool {
	if s.root == nil || bearer == "" {
		return false
	}
	sum := Digest(bearer)
	return subtle.ConstantTimeCompare(sum[:], s.root[:]) == 1
}

// row answers a key's row, at most CacheFor old; nil when there is no such key.
func (s *Service) row(ctx context.Context, keyID string) (*cached, error) {
	now := s.clock.Now()
	row, epoch := s.cache.get(keyID, now)
	if row != nil {
		return row, nil
	}
	item, found, err := s.store.Get(ctx, keys.APIKey(keyID))
	if err != nil {
		return nil, errs.Unread(err)
	}
	if !found {
		return nil, nil
	}
	row = &cached{readAt: now}
	if row.principal, err = fromAttrs(keyID, item.Attrs); err != nil {
		return nil, err
	}
	if copy(row.digest[:], item.Attrs.Bytes(attrDigest)) != sha256.Size {
		return nil, errors.New("apikey: row without a digest")
	}
	s.cache.put(keyID, row, epoch, now)
	return row, nil
}

// Forget drops what is kept of a key, so that its revocation counts at once in
// this process.
func (s *Service) Forget(keyID string) { s.cache.forget(keyID) }

// Issue draws a secret for a key; nothing is stored yet.
func (s *Service) Issue(p Principal) (Issued, error) {
	secret, err := NewSecret(s.random)
	if err != nil {
		return Issued{}, err
	}
	return Issued{Principal: p, Text: Format(p.KeyID, secret), secret: secret}, nil
}

// refused is the answer to every key that does not count (T.2).
func refused() error {
	return errs.New(errs.Unauthenticated, "UNAUTHENTICATED", "A valid key is needed in the header Authorization, as a bearer token.")
}
