// Package outbox is durable background work: a job is a row of the commit that
// asks for it, is leased while it runs, counted, retried with growing delay, and
// dead (visible to operators, re-drivable) after its tries (T.20). Messages only
// say that a job is due; a lost, late or doubled message does no harm, since the
// due sweep finds what was missed and a lease keeps two workers apart.
package outbox

import (
	"time"

	"holdfast/internal/tenant"
)

// Kind names what a job does; it is also its queue.
type Kind string

// The kinds of jobs.
const (
	Embed       Kind = "embed"
	Erase       Kind = "erase"
	Consolidate Kind = "consolidate"
	Index       Kind = "index" // of an item that the index refused; beside it the queue has messages that a workspace moved
)

// State is where a job stands.
type State string

// The states. A job that is done has no row.
const (
	Pending State = "pending"
	Running State = "running"
	Failed  State = "failed" // the last try failed; it will be tried again
	Dead    State = "dead"   // tries used up; needs a person
)

// Job is one piece of background work. It holds ids only.
type Job struct {
	ID        string
	Kind      Kind
	Scope     tenant.Scope
	ItemID    string
	Args      map[string]string // small switches such as cascade
	State     State
	Attempts  int
	LastError string // a code, never text from a content or a store
	CreatedAt time.Time
	DueAt     time.Time
}
