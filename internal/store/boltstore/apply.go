package boltstore

import (
	"bytes"
	"fmt"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

// tables are the buckets within one transaction.
type tables struct {
	items, due *bbolt.Bucket
}

// fillPercent is how full bbolt leaves the pages that it splits. Above its default
// of a half, since most rows come in ascending order within their partition: 600,000
// rows of a memory load take a third less room, and fewer pages are written.
const fillPercent = 0.7

func openTables(tx *bbolt.Tx) tables {
	t := tables{items: tx.Bucket(itemsBucket), due: tx.Bucket(dueBucket)}
	t.items.FillPercent = fillPercent
	return t
}

// write is what a step changes: the item (a nil value removes it) and its place
// in the due index.
type write struct {
	key, value     []byte
	oldDue, newDue []byte // nil: none
}

// plan looks at all conditions and then answers the writes of a commit. It
// changes nothing.
func (t tables) plan(steps []step) ([]write, error) {
	olds, err := t.check(steps)
	if err != nil {
		return nil, err
	}
	writes := make([]write, 0, len(steps))
	for i, s := range steps {
		if s.verb == store.Check {
			continue
		}
		w, err := s.write(olds[i])
		if err != nil {
			return nil, err
		}
		writes = append(writes, w)
	}
	return writes, nil
}

// check answers the items as they are now, nil where there is none, or the
// conditions that do not hold for them.
func (t tables) check(steps []step) ([]*header, error) {
	olds := make([]*header, len(steps))
	var failed []string
	for i, s := range steps {
		old, err := t.current(s.key)
		if err != nil {
			return nil, err
		}
		if s.cond != nil && !holds(*s.cond, old) {
			failed = append(failed, s.label)
		}
		olds[i] = old
	}
	if len(failed) > 0 {
		return nil, &store.ConditionError{Labels: failed}
	}
	return olds, nil
}

// current is the item under a key as it is now; nil when there is none. It is
// valid until the next write.
func (t tables) current(key []byte) (*header, error) {
	raw := t.items.Get(key)
	if raw == nil {
		return nil, nil
	}
	h, err := openItem(key, raw)
	if err != nil {
		return nil, err
	}
	return &h, nil
}

func holds(cond store.Cond, old *header) bool {
	switch {
	case cond.Absent:
		return old == nil
	case cond.Exists:
		return old != nil
	case old == nil:
		return false
	}
	value, has := old.attr(cond.Attr)
	return has && value.Equal(cond.Value)
}

func (s step) write(old *header) (write, error) {
	w := write{key: s.key, value: s.value}
	if old != nil && old.due != nil {
		w.oldDue = dueKey(*old.due, s.key)
	}
	if s.due != nil {
		w.newDue = dueKey(*s.due, s.key)
	}
	if s.verb == store.Add {
		w.newDue = w.oldDue
		value, err := addTo(s.key, old, s.add)
		w.value = value
		return w, err
	}
	return w, nil
}

// addTo answers the encoded item after an Add.
func addTo(key []byte, old *header, add map[string]int64) ([]byte, error) {
	if old == nil {
		old = &header{}
	}
	item, err := old.item(key)
	if err != nil {
		return nil, err
	}
	for name, n := range add {
		value, has := item.Attrs[name]
		if !has {
			value = store.N(0)
		}
		sum, ok := store.AddWhole(value.S, n)
		if !ok || value.Type != store.Number {
			return nil, fmt.Errorf("%w: add to what is no whole number", store.ErrBadRequest)
		}
		item.Attrs[name] = store.Decimal(sum)
	}
	if size := store.Size(item); size > store.MaxItem {
		return nil, fmt.Errorf("%w: item of %d bytes", store.ErrTooLarge, size)
	}
	return encode(key, item), nil
}

// apply performs planned writes.
func (t tables) apply(writes []write) error {
	for _, w := range writes {
		if err := t.applyOne(w); err != nil {
			return err
		}
	}
	return nil
}

func (t tables) applyOne(w write) error {
	if !bytes.Equal(w.oldDue, w.newDue) {
		if err := t.move(w); err != nil {
			return err
		}
	}
	if w.value == nil {
		return t.items.Delete(w.key)
	}
	return t.items.Put(w.key, w.value)
}

func (t tables) move(w write) error {
	if w.oldDue != nil {
		if err := t.due.Delete(w.oldDue); err != nil {
			return err
		}
	}
	if w.newDue != nil {
		return t.due.Put(w.newDue, nil)
	}
	return nil
}
