package store

import (
	"fmt"
	"strings"
)

// Validate checks a query's form; adapters call it first, so that all refuse the
// same. The cursor is checked by OpenCursor.
func (q Query) Validate() error {
	if err := (Key{PK: q.PK, SK: "-"}).Validate(); err != nil {
		return err
	}
	if q.Limit < 0 || q.Prefix != "" && (q.From != "" || q.To != "") {
		return fmt.Errorf("%w: query", ErrBadRequest)
	}
	for _, bound := range []string{q.From, q.To, q.Prefix} {
		if !keyText(bound) {
			return fmt.Errorf("%w: query bound", ErrBadRequest)
		}
		if len(bound) > MaxSK {
			return fmt.Errorf("%w: query bound", ErrTooLarge)
		}
	}
	return nil
}

// Selects tells whether a sort key is within the query's bounds.
func (q Query) Selects(sk string) bool {
	return sk >= q.From && (q.To == "" || sk <= q.To) && strings.HasPrefix(sk, q.Prefix)
}

// Validate checks a due query's form.
func (q DueQuery) Validate() error {
	if q.Shard < 0 || q.Shard >= Shards || q.Limit < 0 {
		return fmt.Errorf("%w: due query", ErrBadRequest)
	}
	return nil
}

// ValidateKeys checks the keys of a GetMany.
func ValidateKeys(keys []Key) error {
	if len(keys) > MaxGetMany {
		return fmt.Errorf("%w: %d keys", ErrTooLarge, len(keys))
	}
	seen := make(map[Key]bool, len(keys))
	for _, key := range keys {
		if err := key.Validate(); err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%w: a key twice", ErrBadRequest)
		}
		seen[key] = true
	}
	return nil
}
