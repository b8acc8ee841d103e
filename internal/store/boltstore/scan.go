package boltstore

import (
	"bytes"
	"context"
	"fmt"

	"holdfast/internal/store"
)

// Bounds of a scan's page: one transaction reads a page, then its items are
// visited outside of it, so that a slow visitor holds up nobody and may write.
const (
	scanKeys  = 50_000 // keys that are looked at
	scanItems = 1_000  // items that are kept
	scanBytes = 1 << 20
)

// Scan implements store.Scanner. Items come in the order of their keys.
func (s *Store) Scan(ctx context.Context, visit func(store.Item) error) error {
	return s.ScanKeys(ctx, func(store.Key) bool { return true }, visit)
}

// ScanKeys implements store.Scanner. Items come in the order of their keys.
func (s *Store) ScanKeys(ctx context.Context, want func(store.Key) bool, visit func(store.Item) error) error {
	page := scanPage{want: want}
	for !page.end {
		page.items, page.bytes = page.items[:0], 0
		if err := s.view(ctx, page.fill); err != nil {
			return page.blame(err)
		}
		for _, item := range page.items {
			if err := visit(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// scanPage is the part of a scan that one transaction reads.
type scanPage struct {
	want   func(store.Key) bool
	asking bool // want is at work
	items  []store.Item
	bytes  int
	last   []byte // the last key that was looked at
	end    bool
}

// blame tells a panic of want, which view takes for damage, from damage.
func (p *scanPage) blame(err error) error {
	if p.asking {
		panic(fmt.Sprintf("boltstore: a scan's want function panicked: %v", err))
	}
	return err
}

func (p *scanPage) fill(t tables) error {
	cursor := t.items.Cursor()
	key, value := cursor.Seek(p.last)
	if len(p.last) > 0 && bytes.Equal(key, p.last) {
		key, value = cursor.Next()
	}
	for looked := 0; key != nil; looked++ {
		if looked == scanKeys || len(p.items) == scanItems || p.bytes >= scanBytes {
			return nil
		}
		if err := p.look(key, value); err != nil {
			return err
		}
		p.last = append(p.last[:0], key...)
		key, value = cursor.Next()
	}
	p.end = true
	return nil
}

func (p *scanPage) look(key, value []byte) error {
	parsed, ok := parseItemKey(key)
	if !ok {
		return damaged("item key")
	}
	p.asking = true
	wanted := p.want(parsed)
	p.asking = false
	if !wanted {
		return nil
	}
	item, err := decode(key, value)
	if err != nil {
		return err
	}
	p.items = append(p.items, item)
	p.bytes += len(value)
	return nil
}
