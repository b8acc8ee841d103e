package work

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Relay turns what the table's stream tells into messages that wake workers. It
// does on AWS what outbox.Relay does in one process, and more: it also hears of
// the commits of processes that were frozen right after them.
//
// Index marks say that a workspace moved: the commit that moves recall writes the
// mark beside its log rows, once however many they are, so the log rows need not
// be streamed. Marks of webhooks say that one was made, deleted or asked for again.
// Job rows say that a job is due, rows of read receipts that there is
// something to seal. Within a batch each message is sent once.
type Relay struct {
	Queue queue.Sender
	Clock clock.Clock
	Log   *slog.Logger
}

// RelayFilter is the pattern of the stream's records that the relay needs, for the
// event source: new images of marks, jobs and receipts that wait. Images of
// other rows, which hold contents, are not handed to the function.
const RelayFilter = `{"eventName":["INSERT","MODIFY"],"dynamodb":{"NewImage":{"kind":{"S":["index","embed","erase","consolidate","receipt","events"]}}}}`

// sealDelay lets receipts gather: with it a receipt is sealed within the 5 seconds
// of T.41, and a busy workspace costs one seal row in so long.
const sealDelay = 2 * time.Second

// Run relays a batch of changes and answers one error a change: nil where nothing
// is left to do for it. A change that cannot be read is told and passed over: it
// would hold up all that come after it in the stream, and the sweep finds its job
// in the due index.
func (r Relay) Run(ctx context.Context, changes []store.Change) []error {
	var out outgoing
	now := r.Clock.Now()
	for i, c := range changes {
		if err := out.note(i, c, now); err != nil {
			r.Log.LogAttrs(ctx, slog.LevelError, "relay passed over a row", slog.String("row", c.Key.SK))
		}
	}
	errs := make([]error, len(changes))
	for _, name := range queue.Names() {
		for some := range slices.Chunk(out.to[name], queue.MaxBatch) {
			r.send(ctx, name, some, errs)
		}
	}
	return errs
}

// outgoing are the messages of a batch by queue, each once.
type outgoing struct {
	to map[queue.Name][]wake
	at map[wakeKey]int
}

// wake is a message and the changes that ask for it.
type wake struct {
	message queue.Message
	by      []int
}

type wakeKey struct {
	queue queue.Name
	body  string
}

func (o *outgoing) note(i int, c store.Change, now time.Time) error {
	if c.Item == nil {
		return nil
	}
	if scope, ok := keys.IndexMarkOf(c.Key); ok {
		o.add(i, queue.Index, outbox.NewMessage(scope, ""), 0)
		return nil
	}
	if scope, ok := keys.WebhookMarkOf(c.Key); ok {
		o.add(i, queue.Events, outbox.NewMessage(scope, ""), 0)
		return nil
	}
	if scope, id, ok := keys.JobOf(c.Key); ok {
		return o.job(i, c, scope, id, now)
	}
	if scope, _, ok := keys.ReceiptOf(c.Key); ok && ledger.Waits(*c.Item) {
		o.add(i, queue.Seal, outbox.NewMessage(scope, ""), sealDelay)
	}
	return nil
}

// job relays a job that is new, or due again by a person's hand. Its leases and
// pauses, which change the row too, have messages of their own; what is due later
// than a message can be held back is the sweep's.
func (o *outgoing) job(i int, c store.Change, scope tenant.Scope, id string, now time.Time) error {
	job, err := outbox.ReadJob(*c.Item)
	if err != nil {
		return err
	}
	name := queue.Name(job.Kind)
	if !slices.Contains(queue.Names(), name) {
		return outbox.ErrBadMessage
	}
	delay := max(0, job.DueAt.Sub(now))
	if job.State != outbox.Pending || delay > queue.MaxDelay || delay > 0 && !c.New {
		return nil
	}
	o.add(i, name, outbox.NewMessage(scope, id), delay)
	return nil
}

func (o *outgoing) add(i int, name queue.Name, m outbox.Message, delay time.Duration) {
	if o.to == nil {
		o.to, o.at = map[queue.Name][]wake{}, map[wakeKey]int{}
	}
	body := m.Encode()
	key := wakeKey{name, body}
	at, known := o.at[key]
	if !known {
		at = len(o.to[name])
		o.at[key] = at
		o.to[name] = append(o.to[name], wake{message: queue.Message{Body: body, Delay: delay}})
	}
	o.to[name][at].by = append(o.to[name][at].by, i)
}

// send notes a failure at every change that asked for the message.
func (r Relay) send(ctx context.Context, name queue.Name, some []wake, errs []error) {
	batch := make([]queue.Message, len(some))
	for i, w := range some {
		batch[i] = w.message
	}
	each, err := r.Queue.Send(ctx, name, batch)
	for i, w := range some {
		failure := err
		if failure == nil && i < len(each) {
			failure = each[i]
		}
		for _, by := range w.by {
			errs[by] = failure
		}
	}
}
