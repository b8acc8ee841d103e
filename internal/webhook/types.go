package webhook

import (
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
)

// Webhook is an address that is told of events.
type Webhook struct {
	ID        string
	URL       string
	Events    []Event
	CreatedAt time.Time
	Since     int64 // rows of the log beyond this one are told

	secret  string // the HMAC key; empty where it is gone
	stage   stage
	expires time.Time // of the record of one that is emptied
}

// stage is where a webhook stands between being made and being forgotten.
type stage int64

const (
	live    stage = iota
	ending        // deleted; its deliveries are still there
	emptied       // deleted, and nothing is left but the record for replays
)

func (w Webhook) gone() bool { return w.stage != live }

// Most is how many webhooks a workspace can have: the deliveries of a log row, a check
// of each webhook and the cursor fit one commit.
const Most = 30

// State is where a delivery stands (T.49).
type State string

// The states.
const (
	Pending   State = "pending"
	Succeeded State = "succeeded"
	Failed    State = "failed" // the last try failed; another comes
	Dead      State = "dead"   // tries used up; a person can have it delivered again
)

// Delivery is one event on its way to one webhook. It holds ids only.
type Delivery struct {
	ID         string // also the Webhook-Id
	WebhookID  string
	Event      Event
	Sequence   int64
	At         time.Time // of the log row
	ItemID     string
	Version    int64
	Operation  string
	State      State
	Attempts   int       // tries that were begun, ever
	LastStatus int       // of the last answer; 0: there was none
	LastError  string    // a code; empty: none
	Next       time.Time // of the next try, while one is under way of its lease's end; zero: none

	earlier int       // of Attempts: those before it was last asked for again
	expires time.Time // kept to the second
	rev     int64     // grows with each change of the row
}

// open tells a delivery that is tried again.
func (d Delivery) open() bool { return !d.Next.IsZero() }

// Kept is how long a delivery's record is kept.
const Kept = 30 * 24 * time.Hour

// deliveryOf begins the delivery of a row.
func deliveryOf(w Webhook, row ledger.Row, event Event, now time.Time) Delivery {
	return Delivery{
		ID: deliveryID(w.ID, row, event), WebhookID: w.ID, Event: event, Sequence: row.Sequence, At: row.At,
		ItemID: row.Entry.ItemID, Version: row.Entry.Version, Operation: row.OperationID,
		State: Pending, Next: millisecond(now), expires: now.Add(Kept), rev: 1,
	}
}

func deliveryID(webhookID string, row ledger.Row, event Event) string {
	return ids.Derived(row.At, row.Sequence, webhookID, string(event))
}

// delays are the pauses after the tries that fail; after the last of them one more
// try decides (T.49).
var delays = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}

// spent tells that no try is left.
func (d Delivery) spent() bool { return d.Attempts-d.earlier > len(delays) }

// tried is the delivery after a try: its status, 0 for none, and its code, empty when
// it succeeded.
func (d Delivery) tried(status int, code string, now time.Time) Delivery {
	d.LastStatus, d.LastError, d.Next = status, code, time.Time{}
	switch {
	case code == "":
		d.State = Succeeded
	case d.spent():
		d.State = Dead
	default:
		d.State = Failed
		d.Next = millisecond(now.Add(delays[d.Attempts-d.earlier-1]))
	}
	return d
}

// again is the delivery asked for once more, with all its tries.
func (d Delivery) again(now time.Time) Delivery {
	d.State, d.earlier, d.Next = Pending, d.Attempts, millisecond(now)
	return d
}

func millisecond(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
