// Package ledger is a workspace's log: one gap-free, hash-chained sequence that
// is change feed, outbox trigger and receipt chain at once (T.18, T.48), and the
// read receipts that are sealed into it (T.19).
//
// Rows hold ids, versions, operation, actor, time and a salted commitment of the
// content, never text: erasing a content and its salt leaves the chain
// verifiable and the commitment meaningless.
package ledger

import "time"

// Op is what happened to an item (R0.55).
type Op string

// The operations.
const (
	Create     Op = "create"
	Merge      Op = "merge"
	Update     Op = "update"
	Supersede  Op = "supersede"
	Quarantine Op = "quarantine"
	Release    Op = "release"
	Delete     Op = "delete"
	Erase      Op = "erase"
	Seal       Op = "seal"
)

// Kind is a receipt's kind (T.41).
type Kind string

// The kinds of receipts.
const (
	WriteReceipt    Kind = "write"
	RetrieveReceipt Kind = "retrieve"
	SearchReceipt   Kind = "search"
	NoteReceipt     Kind = "agent_memory"
	AdminReceipt    Kind = "admin"
	ErasureReceipt  Kind = "erasure"
)

// Actor is who acted: a key or the service itself.
type Actor struct {
	KeyID    string // «service» for workers
	Kind     string // agent, person, service, root
	SourceID string // an agent's source
}

// Service is the actor of background work.
func Service() Actor { return Actor{KeyID: "service", Kind: "service"} }

// Entry is what a write says about one item; the commit makes a Row of it.
type Entry struct {
	Op         Op
	Family     string // T.51
	ItemID     string
	Version    int64
	Commitment []byte   // Commit(salt, canonical content); nil where there is no content
	Recall     bool     // changes what recall can return (R0.77: counts in indexSequence)
	Sealed     []string // Seal: ids of the read receipts, in the order they were digested
}

// Row is a row of the log.
type Row struct {
	Sequence    int64
	OperationID string // the write's receipt id
	Kind        Kind
	Entry       Entry
	At          time.Time
	Actor       Actor
	Previous    []byte // hash of the row before; 32 zero bytes for the first
	Hash        []byte // SHA-256 of Previous and the row's canonical form
}

// Item is what a read handed out.
type Item struct {
	ID      string   `json:"id"`
	Version int64    `json:"version"`
	Score   *float64 `json:"score"` // null for writes
}
