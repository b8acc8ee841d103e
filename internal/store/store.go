package store

import (
	"context"
	"time"
)

// Key addresses an item.
type Key struct {
	PK string // partition key
	SK string // sort key
}

// Due places an item in the due index.
type Due struct {
	Shard int       // 0 to Shards-1
	At    time.Time // kept to the millisecond
}

// Shards is the number of partitions of the due index.
const Shards = 8

// Item is a stored row.
type Item struct {
	Key     Key
	Attrs   Attrs
	Due     *Due
	Expires time.Time // zero: never; kept to the second
}

// Store is the port. Implementations are safe for concurrent use.
type Store interface {
	// Get answers an item, or found false.
	Get(ctx context.Context, key Key) (item Item, found bool, err error)
	// GetMany answers one result a key, in the order asked; nil where absent.
	GetMany(ctx context.Context, keys []Key) ([]*Item, error)
	// Query answers a page of one partition.
	Query(ctx context.Context, q Query) (Page, error)
	// Due answers items whose Due is at or before a time, oldest first.
	Due(ctx context.Context, q DueQuery) (Page, error)
	// Commit performs all actions of tx, or none.
	Commit(ctx context.Context, tx Tx) error
}

// Scanner walks the whole table, a page at a time; only re-indexing and the
// embedded engine's start use it. An item that is there throughout is visited
// exactly once; one that comes, changes or goes meanwhile may be seen in either
// state. visit may use the store; an error from it ends the scan and is answered.
type Scanner interface {
	// Scan visits every item.
	Scan(ctx context.Context, visit func(Item) error) error
	// ScanKeys visits the items whose key is wanted; the others are passed over
	// without being decoded. want must not use the store.
	ScanKeys(ctx context.Context, want func(Key) bool, visit func(Item) error) error
}

// Query selects items of one partition.
type Query struct {
	PK     string
	From   string // inclusive lower bound of the sort key; empty: from the start
	To     string // inclusive upper bound; empty: to the end
	Prefix string // when set, From and To must be empty: keys that begin with it
	Desc   bool   // descending order
	Limit  int    // most items; 0: as many as a page holds
	Cursor string // of the page before; empty: the first
}

// DueQuery selects from the due index.
type DueQuery struct {
	Shard  int
	Until  time.Time
	Limit  int
	Cursor string
}

// Page is part of an answer. Cursor is empty on the last page. A page may be
// empty and still have a cursor.
type Page struct {
	Items  []Item
	Cursor string
}

// Tx is a set of actions that happen together.
type Tx struct {
	Actions []Action
}

// Verb says what an action does.
type Verb int

// The verbs.
const (
	Put    Verb = iota // writes the whole item
	Delete             // removes it; removing what is absent succeeds
	Check              // only the condition
	Add                // adds whole numbers to attributes, creating item and attribute at 0
)

// Action is one step of a Tx.
type Action struct {
	Verb  Verb
	Item  Item             // Put; for the others only its Key
	Add   map[string]int64 // Add
	If    *Cond            // nil: unconditional
	Label string           // names the action in a ConditionError
}

// Cond is a condition on the item as it is before the commit. Exactly one of its
// members is used: Absent, Exists, or the attribute Attr being equal to Value.
type Cond struct {
	Absent bool
	Exists bool
	Attr   string
	Value  Value
}

// IfAbsent holds when there is no item with this key.
func IfAbsent() *Cond { return &Cond{Absent: true} }

// IfExists holds when there is one.
func IfExists() *Cond { return &Cond{Exists: true} }

// IfEqual holds when the item has the attribute with this very value; it fails
// when the item or the attribute is absent or has another type.
func IfEqual(attr string, value Value) *Cond { return &Cond{Attr: attr, Value: value} }

// PutItem writes an item under a condition (nil: none).
func PutItem(label string, item Item, cond *Cond) Action {
	return Action{Verb: Put, Item: item, If: cond, Label: label}
}

// DeleteItem removes an item under a condition.
func DeleteItem(label string, key Key, cond *Cond) Action {
	return Action{Verb: Delete, Item: Item{Key: key}, If: cond, Label: label}
}

// CheckItem only asks for a condition.
func CheckItem(label string, key Key, cond *Cond) Action {
	return Action{Verb: Check, Item: Item{Key: key}, If: cond, Label: label}
}

// AddTo adds to whole-number attributes.
func AddTo(label string, key Key, add map[string]int64, cond *Cond) Action {
	return Action{Verb: Add, Item: Item{Key: key}, Add: add, If: cond, Label: label}
}
