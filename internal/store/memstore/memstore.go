// Package memstore is the store port as a plain model in memory: maps, sorted
// when asked. It keeps nothing and is not fast; it is the oracle that other
// adapters are compared with, and the store of other packages' unit tests.
//
// It may import store only. It shares its rules of form (limits, cursors) with
// the adapters through package store, and nothing else.
package memstore

import (
	"context"
	"sync"

	"holdfast/internal/store"
)

// Store is a table in memory. It is safe for concurrent use.
type Store struct {
	mu     sync.RWMutex
	items  map[store.Key]store.Item
	closed bool
}

var (
	_ store.Store   = (*Store)(nil)
	_ store.Scanner = (*Store)(nil)
)

// New makes an empty store.
func New() *Store { return &Store{items: make(map[store.Key]store.Item)} }

// Close makes every later call fail with store.ErrClosed.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// ready holds the lock's invariant: what every call checks first.
func (s *Store) ready(ctx context.Context) error {
	if s.closed {
		return store.ErrClosed
	}
	return ctx.Err()
}

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ready(ctx); err != nil {
		return store.Item{}, false, err
	}
	if err := key.Validate(); err != nil {
		return store.Item{}, false, err
	}
	item, found := s.items[key]
	if !found {
		return store.Item{}, false, nil
	}
	return clone(item), true, nil
}

// GetMany implements store.Store.
func (s *Store) GetMany(ctx context.Context, keys []store.Key) ([]*store.Item, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if err := store.ValidateKeys(keys); err != nil {
		return nil, err
	}
	items := make([]*store.Item, len(keys))
	for i, key := range keys {
		if item, found := s.items[key]; found {
			copied := clone(item)
			items[i] = &copied
		}
	}
	return items, nil
}

// Query implements store.Store.
func (s *Store) Query(ctx context.Context, q store.Query) (store.Page, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ready(ctx); err != nil {
		return store.Page{}, err
	}
	if err := q.Validate(); err != nil {
		return store.Page{}, err
	}
	last, err := "", error(nil)
	if q.Cursor != "" {
		if last, err = q.OpenCursor(); err != nil {
			return store.Page{}, err
		}
	}
	return page(s.selected(q, last), q.Limit, func(item store.Item) string {
		return q.NewCursor(item.Key.SK)
	}), nil
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, q store.DueQuery) (store.Page, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ready(ctx); err != nil {
		return store.Page{}, err
	}
	if err := q.Validate(); err != nil {
		return store.Page{}, err
	}
	last, err := "", error(nil)
	if q.Cursor != "" {
		if last, err = q.OpenCursor(); err != nil {
			return store.Page{}, err
		}
	}
	return page(s.due(q, last), q.Limit, func(item store.Item) string {
		return q.NewCursor(duePosition(item))
	}), nil
}

// Scan implements store.Scanner.
func (s *Store) Scan(ctx context.Context, visit func(store.Item) error) error {
	return s.ScanKeys(ctx, func(store.Key) bool { return true }, visit)
}

// ScanKeys implements store.Scanner.
func (s *Store) ScanKeys(ctx context.Context, want func(store.Key) bool, visit func(store.Item) error) error {
	items, err := s.snapshot(ctx)
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !want(item.Key) {
			continue
		}
		if err := visit(item); err != nil {
			return err
		}
	}
	return nil
}
