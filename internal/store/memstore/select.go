package memstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/store"
)

// selected answers a query's items after the last one, in its order.
func (s *Store) selected(q store.Query, last string) []store.Item {
	var items []store.Item
	for key, item := range s.items {
		if key.PK == q.PK && q.Selects(key.SK) && after(key.SK, last, q) {
			items = append(items, clone(item))
		}
	}
	slices.SortFunc(items, func(a, b store.Item) int {
		if q.Desc {
			a, b = b, a
		}
		return cmp.Compare(a.Key.SK, b.Key.SK)
	})
	return items
}

func after(sk, last string, q store.Query) bool {
	switch {
	case q.Cursor == "":
		return true
	case q.Desc:
		return sk < last
	}
	return sk > last
}

// due answers what is due after the last position, in order.
func (s *Store) due(q store.DueQuery, last string) []store.Item {
	var items []store.Item
	for _, item := range s.items {
		if item.Due == nil || item.Due.Shard != q.Shard || item.Due.At.UnixMilli() > q.Until.UnixMilli() {
			continue
		}
		if duePosition(item) > last {
			items = append(items, clone(item))
		}
	}
	slices.SortFunc(items, func(a, b store.Item) int {
		return cmp.Compare(duePosition(a), duePosition(b))
	})
	return items
}

// duePosition orders by time, then key.
func duePosition(item store.Item) string {
	return fmt.Sprintf("%016d", item.Due.At.UnixMilli()) + position(item.Key)
}

func position(key store.Key) string { return key.PK + "\x00" + key.SK }

// page cuts items to a limit and to the bytes of a page.
func page(items []store.Item, limit int, cursor func(last store.Item) string) store.Page {
	total := 0
	for n, item := range items {
		total += store.Size(item)
		if n > 0 && (total > store.MaxPage || n == limit) {
			return store.Page{Items: items[:n], Cursor: cursor(items[n-1])}
		}
	}
	return store.Page{Items: items}
}

// snapshot answers all items in the order of their keys.
func (s *Store) snapshot(ctx context.Context) ([]store.Item, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	var items []store.Item
	for _, item := range s.items {
		items = append(items, clone(item))
	}
	slices.SortFunc(items, func(a, b store.Item) int {
		return cmp.Compare(position(a.Key), position(b.Key))
	})
	return items, nil
}

// clone copies deeply and rounds times as the port says, so that neither side
// can change the other's item.
func clone(item store.Item) store.Item {
	attrs := make(store.Attrs, len(item.Attrs))
	for name, v := range item.Attrs {
		attrs[name] = cloneValue(v)
	}
	item.Attrs = attrs
	if item.Due != nil {
		item.Due = &store.Due{Shard: item.Due.Shard, At: time.UnixMilli(item.Due.At.UnixMilli()).UTC()}
	}
	if !item.Expires.IsZero() {
		item.Expires = time.Unix(item.Expires.Unix(), 0).UTC()
	}
	return item
}

// cloneValue keeps the member that the type uses.
func cloneValue(v store.Value) store.Value {
	switch v.Type {
	case store.Bytes:
		return store.B(append([]byte{}, v.B...))
	case store.Bool:
		return store.T(v.On)
	}
	return store.Value{Type: v.Type, S: v.S}
}
