package memstore

import (
	"context"
	"fmt"

	"holdfast/internal/store"
)

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, tx store.Tx) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return err
	}
	if err := tx.Validate(); err != nil {
		return err
	}
	if failed := s.failed(tx); len(failed) > 0 {
		return &store.ConditionError{Labels: failed}
	}
	changed, err := s.changes(tx)
	if err != nil {
		return err
	}
	for key, item := range changed {
		if item == nil {
			delete(s.items, key)
		} else {
			s.items[key] = *item
		}
	}
	return nil
}

// failed answers the labels of the conditions that do not hold.
func (s *Store) failed(tx store.Tx) []string {
	var labels []string
	for _, action := range tx.Actions {
		item, found := s.items[action.Item.Key]
		if action.If != nil && !holds(*action.If, item, found) {
			labels = append(labels, action.Label)
		}
	}
	return labels
}

func holds(cond store.Cond, item store.Item, found bool) bool {
	switch {
	case cond.Absent:
		return !found
	case cond.Exists:
		return found
	}
	value, has := item.Attrs[cond.Attr]
	return has && value.Equal(cond.Value)
}

// changes answers what the actions make of their items; nil removes.
func (s *Store) changes(tx store.Tx) (map[store.Key]*store.Item, error) {
	changed := make(map[store.Key]*store.Item)
	for _, action := range tx.Actions {
		key := action.Item.Key
		switch action.Verb {
		case store.Put:
			item := clone(action.Item)
			changed[key] = &item
		case store.Delete:
			changed[key] = nil
		case store.Add:
			item, err := add(s.items[key], key, action.Add)
			if err != nil {
				return nil, err
			}
			changed[key] = &item
		}
	}
	return changed, nil
}

func add(item store.Item, key store.Key, numbers map[string]int64) (store.Item, error) {
	item = clone(item)
	item.Key = key
	for name, n := range numbers {
		old, has := item.Attrs[name]
		if !has {
			old = store.N(0)
		}
		sum, ok := store.AddWhole(old.S, n)
		if !ok || old.Type != store.Number {
			return item, fmt.Errorf("%w: add to what is no whole number", store.ErrBadRequest)
		}
		item.Attrs[name] = store.Decimal(sum)
	}
	if size := store.Size(item); size > store.MaxItem {
		return item, fmt.Errorf("%w: item of %d bytes", store.ErrTooLarge, size)
	}
	return item, nil
}
