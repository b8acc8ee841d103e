package boltstore

import (
	"bytes"
	"context"
	"errors"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

// view reads one state of the file. What fn keeps must be copied.
func (s *Store) view(ctx context.Context, fn func(tables) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := guard(func() error {
		return s.db.View(func(tx *bbolt.Tx) error { return fn(openTables(tx)) })
	})
	if errors.Is(err, ErrCorrupt) {
		s.harmed.Store(true)
	}
	return mapUse(err)
}

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key store.Key) (item store.Item, found bool, err error) {
	if err := key.Validate(); err != nil {
		return store.Item{}, false, err
	}
	err = s.view(ctx, func(t tables) error {
		raw := itemKey(key)
		value := t.items.Get(raw)
		if value == nil {
			return nil
		}
		item, err = decode(raw, value)
		found = err == nil
		return err
	})
	return item, found, err
}

// GetMany implements store.Store.
func (s *Store) GetMany(ctx context.Context, keys []store.Key) ([]*store.Item, error) {
	if err := store.ValidateKeys(keys); err != nil {
		return nil, err
	}
	items := make([]*store.Item, len(keys))
	err := s.view(ctx, func(t tables) error {
		for i, key := range keys {
			raw := itemKey(key)
			value := t.items.Get(raw)
			if value == nil {
				continue
			}
			item, err := decode(raw, value)
			if err != nil {
				return err
			}
			items[i] = &item
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Query implements store.Store.
func (s *Store) Query(ctx context.Context, q store.Query) (store.Page, error) {
	if err := q.Validate(); err != nil {
		return store.Page{}, err
	}
	r, err := spanOf(q)
	if err != nil {
		return store.Page{}, err
	}
	p := pager{limit: q.Limit}
	more := false
	err = s.view(ctx, func(t tables) error {
		walk := r.walk(t.items.Cursor())
		for key, value := walk.first(); key != nil; key, value = walk.next() {
			full, err := p.add(key, value)
			if err != nil || full {
				more = full
				return err
			}
		}
		return nil
	})
	return p.page(err, more, func(last store.Item) string { return q.NewCursor(last.Key.SK) })
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, q store.DueQuery) (store.Page, error) {
	if err := q.Validate(); err != nil {
		return store.Page{}, err
	}
	last, err := "", error(nil)
	if q.Cursor != "" {
		if last, err = q.OpenCursor(); err != nil {
			return store.Page{}, err
		}
	}
	p := pager{limit: q.Limit}
	more := false
	err = s.view(ctx, func(t tables) error {
		more, err = t.dueItems(&p, q, last)
		return err
	})
	return p.page(err, more, func(last store.Item) string { return q.NewCursor(duePosition(last)) })
}

// dueItems adds due items that come after the last position, until the page is
// full.
func (t tables) dueItems(p *pager, q store.DueQuery, last string) (full bool, err error) {
	cursor := t.due.Cursor()
	start := append([]byte{byte(q.Shard)}, last...)
	entry, _ := cursor.Seek(start)
	if last != "" && bytes.Equal(entry, start) {
		entry, _ = cursor.Next()
	}
	for ; dueUpTo(entry, q.Shard, q.Until); entry, _ = cursor.Next() {
		key := entry[dueHead:]
		value := t.items.Get(key)
		if value == nil {
			return false, damaged("due entry without an item")
		}
		if full, err := p.add(key, value); full || err != nil {
			return full, err
		}
	}
	return false, nil
}

// duePosition is an item's due key without its shard.
func duePosition(item store.Item) string {
	return string(dueKey(*item.Due, itemKey(item.Key))[1:])
}

// pager collects a page.
type pager struct {
	limit int
	items []store.Item
	bytes int
}

// add takes one more item, or tells that the page was full before it.
func (p *pager) add(key, value []byte) (full bool, err error) {
	if p.limit > 0 && len(p.items) == p.limit {
		return true, nil
	}
	h, err := openItem(key, value)
	if err != nil {
		return false, err
	}
	if len(p.items) > 0 && p.bytes+h.size > store.MaxPage {
		return true, nil
	}
	item, err := h.item(key)
	if err != nil {
		return false, err
	}
	p.items = append(p.items, item)
	p.bytes += h.size
	return false, nil
}

func (p *pager) page(err error, more bool, cursor func(last store.Item) string) (store.Page, error) {
	if err != nil {
		return store.Page{}, err
	}
	page := store.Page{Items: p.items}
	if more {
		page.Cursor = cursor(p.items[len(p.items)-1])
	}
	return page, nil
}
