package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Cursors are opaque to callers: a digest of the query that made them and the
// position of the last item. The digest binds a cursor to its partition (or due
// shard) and direction and shows accidental change; it is no signature, so
// cursors that leave the process are sealed again by their routes. All adapters
// use the functions here.

const cursorSum = 12 // bytes of the digest

// NewCursor is the cursor that goes on after the item with this sort key.
func (q Query) NewCursor(lastSK string) string {
	return sealCursor(q.cursorKind(), q.PK, lastSK)
}

// OpenCursor answers the sort key after which the query goes on, or
// ErrBadCursor. It must not be called without a cursor.
func (q Query) OpenCursor() (lastSK string, err error) {
	lastSK, ok := openCursor(q.cursorKind(), q.PK, q.Cursor)
	if !ok || !q.Selects(lastSK) {
		return "", ErrBadCursor
	}
	return lastSK, nil
}

func (q Query) cursorKind() byte {
	if q.Desc {
		return 'd'
	}
	return 'a'
}

// NewCursor is the cursor that goes on after an item of the due index, whose
// position is the adapter's own.
func (q DueQuery) NewCursor(position string) string {
	return sealCursor('u', fmt.Sprint(q.Shard), position)
}

// OpenCursor answers the position of the last item, or ErrBadCursor.
func (q DueQuery) OpenCursor() (position string, err error) {
	position, ok := openCursor('u', fmt.Sprint(q.Shard), q.Cursor)
	if !ok {
		return "", ErrBadCursor
	}
	return position, nil
}

func sealCursor(kind byte, owner, position string) string {
	sum := cursorDigest(kind, owner, position)
	raw := make([]byte, 0, cursorSum+len(position))
	return base64.RawURLEncoding.EncodeToString(append(append(raw, sum[:cursorSum]...), position...))
}

func openCursor(kind byte, owner, cursor string) (position string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < cursorSum {
		return "", false
	}
	position = string(raw[cursorSum:])
	sum := cursorDigest(kind, owner, position)
	return position, string(sum[:cursorSum]) == string(raw[:cursorSum])
}

func cursorDigest(kind byte, owner, position string) [sha256.Size]byte {
	raw := make([]byte, 0, 1+8+len(owner)+len(position))
	raw = append(raw, kind)
	raw = binary.BigEndian.AppendUint64(raw, uint64(len(owner)))
	raw = append(raw, owner...)
	return sha256.Sum256(append(raw, position...))
}
