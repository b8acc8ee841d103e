package store

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The limits of the port, which are DynamoDB's
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html).
const (
	MaxPK         = 2048      // bytes of a partition key
	MaxSK         = 1024      // bytes of a sort key
	MaxItem       = 400 << 10 // bytes of an item
	MaxActions    = 100       // actions in a Tx
	MaxCommit     = 4 << 20   // bytes of a Tx
	MaxPage       = 1 << 20   // bytes of a Query page
	MaxGetMany    = 100       // keys of a GetMany
	MaxDigits     = 38        // significant digits of a number
	numberMaxSize = 21        // bytes DynamoDB counts for the longest number
)

// Size counts an item's bytes as DynamoDB does: keys, attribute names and values.
func Size(item Item) int {
	n := len("pk") + len("sk") + len(item.Key.PK) + len(item.Key.SK)
	for name, v := range item.Attrs {
		n += len(name) + v.size()
	}
	if item.Due != nil {
		n += len("due_pk") + len("due_sk") + len("DUE#0") + 16 + 1 + len(item.Key.PK) + len(item.Key.SK)
	}
	if !item.Expires.IsZero() {
		n += len("ttl") + 6
	}
	return n
}

func (v Value) size() int {
	switch v.Type {
	case Bytes:
		return len(v.B)
	case Bool:
		return 1
	case Number:
		return min(len(v.S)/2+2, numberMaxSize)
	}
	return len(v.S)
}

// Validate checks a Tx against the limits; adapters call it first, so that all
// refuse the same.
func (tx Tx) Validate() error {
	if len(tx.Actions) == 0 {
		return fmt.Errorf("%w: no actions", ErrBadRequest)
	}
	if len(tx.Actions) > MaxActions {
		return fmt.Errorf("%w: %d actions", ErrTooLarge, len(tx.Actions))
	}
	seen := make(map[Key]bool, len(tx.Actions))
	total := 0
	for _, a := range tx.Actions {
		if seen[a.Item.Key] {
			return fmt.Errorf("%w: two actions on one key", ErrBadRequest)
		}
		seen[a.Item.Key] = true
		if err := a.validate(); err != nil {
			return err
		}
		total += Size(a.Item)
	}
	if total > MaxCommit {
		return fmt.Errorf("%w: %d bytes in a commit", ErrTooLarge, total)
	}
	return nil
}

func (a Action) validate() error {
	if err := a.Item.Key.Validate(); err != nil {
		return err
	}
	if a.If != nil && !a.If.valid() {
		return fmt.Errorf("%w: condition", ErrBadRequest)
	}
	switch a.Verb {
	case Put:
		if size := Size(a.Item); size > MaxItem {
			return fmt.Errorf("%w: item of %d bytes", ErrTooLarge, size)
		}
		return a.Item.validate()
	case Check:
		if a.If == nil {
			return fmt.Errorf("%w: check without a condition", ErrBadRequest)
		}
	case Add:
		if _, unnamed := a.Add[""]; unnamed || len(a.Add) == 0 {
			return fmt.Errorf("%w: add without numbers", ErrBadRequest)
		}
	case Delete:
	default:
		return fmt.Errorf("%w: verb", ErrBadRequest)
	}
	return nil
}

// valid tells whether exactly one member of the condition is used.
func (c *Cond) valid() bool {
	if c.Absent || c.Exists {
		return c.Absent != c.Exists && c.Attr == "" && c.Value.Type == 0
	}
	return c.Attr != "" && c.Value.valid()
}

// maxDueMillis is the last time that 16 digits hold.
const maxDueMillis = 9_999_999_999_999_999

func (d *Due) valid() bool {
	ms := d.At.UnixMilli()
	return d.Shard >= 0 && d.Shard < Shards && ms >= 0 && ms <= maxDueMillis
}

func (item Item) validate() error {
	if item.Due != nil && !item.Due.valid() {
		return fmt.Errorf("%w: due", ErrBadRequest)
	}
	for name, v := range item.Attrs {
		if name == "" || !utf8.ValidString(name) {
			return fmt.Errorf("%w: attribute name", ErrBadRequest)
		}
		if !v.valid() {
			return fmt.Errorf("%w: attribute value", ErrBadRequest)
		}
	}
	return nil
}

// Validate checks a key against the limits.
func (k Key) Validate() error {
	if k.PK == "" || k.SK == "" || !keyText(k.PK) || !keyText(k.SK) {
		return fmt.Errorf("%w: key", ErrBadRequest)
	}
	if len(k.PK) > MaxPK || len(k.SK) > MaxSK {
		return fmt.Errorf("%w: key", ErrTooLarge)
	}
	return nil
}

func keyText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

func (v Value) valid() bool {
	switch v.Type {
	case Text:
		return utf8.ValidString(v.S)
	case Number:
		return validNumber(v.S)
	case Bytes, Bool:
		return true
	}
	return false
}
