// Package queue is the port to work queues, shaped by SQS standard queues; every
// sentence below is a contract that queuetest shows for each adapter.
//
// A message is delivered at least once, in no promised order. A received message
// is invisible for the queue's visibility timeout; it comes back unless it is
// deleted before. Its receive count grows with each delivery; a message received
// more often than MaxReceives goes to the dead-letter queue instead of being
// delivered. A delay of 0 to 15 minutes holds a new message back. A message is at
// most 256 KB; a batch has 1 to 10 messages and answers one result a message:
// one that is refused takes no other with it. Messages hold ids and numbers only
// (T.29).
package queue

import (
	"context"
	"errors"
	"time"
)

// The limits of the port, which are those of SQS.
const (
	MaxBody  = 256 << 10
	MaxBatch = 10
	MaxDelay = 15 * time.Minute
)

// ErrTooLarge: a message or batch is over a limit.
var ErrTooLarge = errors.New("queue: over a limit")

// ErrBadReceipt: the handle is unknown or outdated; nothing was deleted.
var ErrBadReceipt = errors.New("queue: bad receipt handle")

// Name is a queue's name; each has a dead-letter queue beside it.
type Name string

// The queues of the service.
const (
	Index Name = "index" // «workspace w moved»
	Embed Name = "embed" // «job j is due»: vectors that were deferred
	Erase Name = "erase" // «job j is due»: erasures
	Seal  Name = "seal"  // «receipts of workspace w wait for their seal»

	Consolidate Name = "consolidate" // «job j is due»: consolidations of runs
	Events      Name = "events"      // «workspace w moved», «webhook h has something due»
)

// Names lists every queue.
func Names() []Name { return []Name{Index, Embed, Erase, Seal, Consolidate, Events} }

// Message is what a producer sends.
type Message struct {
	Body  string
	Delay time.Duration
}

// Received is a delivered message.
type Received struct {
	ID       string
	Body     string
	Handle   string // for Delete and Release
	Receives int    // 1 at the first delivery
	SentAt   time.Time
}

// Sender is the half of the port that producers need.
type Sender interface {
	// Send hands messages over; errs has one entry a message, nil where it was
	// taken. err is set when the whole call failed and nothing is known.
	Send(ctx context.Context, q Name, batch []Message) (errs []error, err error)
}

// Queue is the port. Implementations are safe for concurrent use.
type Queue interface {
	Sender
	// Receive waits up to wait for at most limit (1 to 10) messages.
	Receive(ctx context.Context, q Name, limit int, wait time.Duration) ([]Received, error)
	// Delete acknowledges a message.
	Delete(ctx context.Context, q Name, handle string) error
	// Release makes a received message visible again after a delay.
	Release(ctx context.Context, q Name, handle string, after time.Duration) error
	// Dead answers up to limit messages of the dead-letter queue without removing them.
	Dead(ctx context.Context, q Name, limit int) ([]Received, error)
	// Redrive moves up to limit dead messages back and answers how many.
	Redrive(ctx context.Context, q Name, limit int) (int, error)
	// Depth answers how many messages wait, are in flight and are dead; approximate on AWS.
	Depth(ctx context.Context, q Name) (Depth, error)
}

// Depth counts a queue's messages.
type Depth struct {
	Waiting, InFlight, Dead int
}
