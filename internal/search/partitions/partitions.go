// Package partitions keeps what an engine in memory has of each scope apart: a search of
// one scope touches nothing of another's.
//
// It imports tenant and the standard library only.
package partitions

import (
	"context"
	"sync"

	"holdfast/internal/tenant"
)

// Counted is a partition that is asked for its documents while it is held.
type Counted interface {
	RLock()
	RUnlock()
	Holds(id string) bool
	Len() int
}

// Set is the partitions of all scopes. It is safe for concurrent use; a partition locks
// itself.
type Set[P Counted] struct {
	make func(tenant.Scope) P

	mu sync.RWMutex
	of map[tenant.Scope]P
}

// NewSet makes an empty set whose partitions begin as make says.
func NewSet[P Counted](make func(tenant.Scope) P) *Set[P] {
	return &Set[P]{make: make, of: map[tenant.Scope]P{}}
}

// Open answers the partition of a scope, a new one where there is none.
func (s *Set[P]) Open(scope tenant.Scope) P {
	if p, ok := s.Get(scope); ok {
		return p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.of[scope]
	if !ok {
		p = s.make(scope)
		s.of[scope] = p
	}
	return p
}

// Get answers the partition of a scope, if there is one.
func (s *Set[P]) Get(scope tenant.Scope) (P, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.of[scope]
	return p, ok
}

// Has tells whether the scope holds the document.
func (s *Set[P]) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	p, ok := s.Get(scope)
	if !ok {
		return false, ctx.Err()
	}
	p.RLock()
	defer p.RUnlock()
	return p.Holds(id), ctx.Err()
}

// Count answers how many documents the scope holds.
func (s *Set[P]) Count(ctx context.Context, scope tenant.Scope) (int, error) {
	p, ok := s.Get(scope)
	if !ok {
		return 0, ctx.Err()
	}
	p.RLock()
	defer p.RUnlock()
	return p.Len(), ctx.Err()
}
