// Package commit composes effect, idempotency record, log rows and jobs into one
// commit (T.17). Every mutation goes through it; archtest bans Store.Commit
// elsewhere but for a worker's own bookkeeping rows.
//
// Writers of one workspace meet at its sequence. Inside one process they queue
// in a lane a workspace: the lane reads the head once and commits as many waiting
// writes as fit one transaction (100 actions, no shared keys but those of rows that
// are only checked for the same), each with its own log rows, idempotency record and
// error. A write whose condition fails is taken
// out and planned anew; its neighbours go on. Across processes the head's
// condition fails, and the lane reads it again after full-jitter backoff.
package commit

import (
	"context"
	"time"

	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Write asks for one mutation.
type Write struct {
	Scope tenant.Scope
	Actor ledger.Actor
	Kind  ledger.Kind // of its receipt; empty: write
	Key   *idem.Key   // nil: the call carried no Idempotency-Key
	// Plan reads what it needs and says what to commit. It runs outside the lane
	// and may run several times: when a condition of its actions fails it runs
	// again, so it must turn a state that refuses the write into its own error
	// (412, 404, 409 …). It must not keep anything from an earlier run.
	Plan func(ctx context.Context, op Operation) (Plan, error)
}

// Operation names the write that is being planned.
type Operation struct {
	ID string    // UUIDv7: operation id and receipt id; the same in every run
	At time.Time // recorded time; later runs have later times
}

// Plan is what a write wants to happen.
type Plan struct {
	// Actions on the items' own rows, with labels unique in the plan. The commit
	// adds head, log, operation, idempotency and job rows.
	Actions []store.Action
	// Entries become log rows, in order. A plan without entries and actions
	// commits nothing but the idempotency record.
	Entries []ledger.Entry
	Jobs    []outbox.Job // ID, State and times are filled in when empty
	Items   int64        // change of the number of stored items
	Bytes   int64        // change of the stored bytes
	Budget  *int64       // most stored bytes; nil: none
	// Result is the reference that a replay answers from: ids and flags as JSON,
	// never content. It is also kept on the operation's row.
	Result []byte
}

// Outcome tells what a write did.
type Outcome struct {
	OperationID string
	Sequence    int64 // of its last log row; header Memory-Sequence
	At          time.Time
	Result      []byte // the plan's, or the first call's when Replayed
	Replayed    bool
	Erased      bool // replayed, and the item has been erased since (R0.79)
}

// Doer is what domains need of this package.
type Doer interface {
	// Do performs one write.
	Do(ctx context.Context, w Write) (Outcome, error)
	// DoMany performs writes of one scope in order, each on its own: results and
	// errors by index. A later write sees an earlier one's effect.
	DoMany(ctx context.Context, ws []Write) ([]Outcome, []error)
}
