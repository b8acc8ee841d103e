package boltstore

import (
	"bytes"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

// span is a query's part of the items bucket: two inclusive bounds, and where the
// page before ended.
type span struct {
	low, high []byte
	last      []byte // nil: the first page
	desc      bool
}

// past is above every key that begins like the text before it: no key holds this
// byte, which UTF-8 never uses.
const past = 0xff

func spanOf(q store.Query) (span, error) {
	r := span{desc: q.Desc}
	r.low = append(partition(q.PK), q.From+q.Prefix...)
	r.high = append(partition(q.PK), q.To+q.Prefix...)
	if q.To == "" {
		r.high = append(r.high, past)
	}
	if q.Cursor != "" {
		sk, err := q.OpenCursor()
		if err != nil {
			return span{}, err
		}
		r.last = append(partition(q.PK), sk...)
	}
	return r, nil
}

// walker steps through a span.
type walker struct {
	span
	cursor *bbolt.Cursor
}

func (r span) walk(cursor *bbolt.Cursor) *walker { return &walker{span: r, cursor: cursor} }

// first answers the first item, or a nil key.
func (w *walker) first() (key, value []byte) {
	if w.desc {
		return w.within(w.seekDown())
	}
	start := w.low
	if w.last != nil {
		start = w.last
	}
	key, value = w.cursor.Seek(start)
	if w.last != nil && bytes.Equal(key, w.last) {
		key, value = w.cursor.Next()
	}
	return w.within(key, value)
}

// seekDown goes to the highest key that the page may begin with.
func (w *walker) seekDown() (key, value []byte) {
	start := w.high
	if w.last != nil {
		start = w.last
	}
	key, value = w.cursor.Seek(start)
	if key == nil {
		return w.cursor.Last()
	}
	if w.last == nil && bytes.Equal(key, start) {
		return key, value
	}
	return w.cursor.Prev()
}

// next answers the item after the one before, or a nil key.
func (w *walker) next() (key, value []byte) {
	if w.desc {
		return w.within(w.cursor.Prev())
	}
	return w.within(w.cursor.Next())
}

// within ends the walk at the far bound.
func (w *walker) within(key, value []byte) ([]byte, []byte) {
	if key == nil || bytes.Compare(key, w.low) < 0 || bytes.Compare(key, w.high) > 0 {
		return nil, nil
	}
	return key, value
}
