package work

import (
	"context"
	"sync"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// MemoryCursors live and die with an index that is kept in memory.
type MemoryCursors struct {
	mu sync.RWMutex
	at map[tenant.Scope]int64
}

// NewMemoryCursors starts from what a rebuild has reached.
func NewMemoryCursors() *MemoryCursors { return &MemoryCursors{at: map[tenant.Scope]int64{}} }

// Cursor implements Cursors.
func (m *MemoryCursors) Cursor(_ context.Context, scope tenant.Scope) (int64, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.at[scope], nil
}

// Advance implements Cursors.
func (m *MemoryCursors) Advance(_ context.Context, scope tenant.Scope, seq int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at[scope] = max(m.at[scope], seq)
	return nil
}

// TableCursors are rows: for an index that outlives the process.
type TableCursors struct {
	Store    store.Store
	Consumer string
}

const cursorAttr = "seq"

// Cursor implements Cursors.
func (t TableCursors) Cursor(ctx context.Context, scope tenant.Scope) (int64, error) {
	item, _, err := t.Store.Get(ctx, keys.Cursor(scope, t.Consumer))
	return item.Attrs.Int(cursorAttr), err
}

// Advance implements Cursors; when another process was faster it looks again.
func (t TableCursors) Advance(ctx context.Context, scope tenant.Scope, seq int64) error {
	key := keys.Cursor(scope, t.Consumer)
	for {
		item, found, err := t.Store.Get(ctx, key)
		if err != nil || found && item.Attrs.Int(cursorAttr) >= seq {
			return err
		}
		cond := store.IfAbsent()
		if found {
			cond = store.IfEqual(cursorAttr, item.Attrs[cursorAttr])
		}
		next := store.Item{Key: key, Attrs: store.Attrs{cursorAttr: store.N(seq)}}
		err = t.Store.Commit(ctx, store.Tx{Actions: []store.Action{store.PutItem("cursor", next, cond)}})
		if !store.Failed(err, "cursor") {
			return err
		}
	}
}
