package plan

import (
	"time"

	"holdfast/internal/routes"
	"holdfast/internal/work"
)

// Queue is a queue of work with its dead-letter queue, or that alone.
type Queue struct {
	ID         string
	Name       string `json:",omitempty"` // empty: only a dead-letter queue
	DeadName   string
	Visibility int `json:",omitempty"` // seconds that a taken message is invisible
	Tries      int `json:",omitempty"` // deliveries before a message is dead
	Alarms     []Alarm
}

// ARN is the queue's.
func (q Queue) ARN() string { return arn("sqs", q.Name) }

// DeadARN is the dead-letter queue's.
func (q Queue) DeadARN() string { return arn("sqs", q.DeadName) }

// How long messages are kept. What is dead is kept as long as AWS allows, since it
// needs a person.
const (
	KeepDays     = 4
	KeepDeadDays = 14
)

// QueueTrigger starts a function with messages of a queue.
type QueueTrigger struct {
	Queue          string
	Batch          int
	MaxConcurrency int // so that a full queue is not met with throttles, which count as tries
}

// StreamTrigger starts a function with changes of the table.
type StreamTrigger struct {
	Batch         int
	WindowSeconds int
	Parallel      int // batches of a shard at once
	Retries       int
	MaxAge        int // seconds after which a change is given up
	Filters       []string
	Dead          string // queue of what was given up
}

// streamQueue is the id of the dead-letter queue of the stream's worker.
const streamQueue = "relay"

func (p Plan) queues(s Settings, workers []routes.Worker) []Queue {
	var out []Queue
	for _, w := range workers {
		w = shorten(s, w)
		q := Queue{ID: w.Queue, Name: p.Prefix + "-" + w.Queue, DeadName: p.Prefix + "-" + w.Queue + "-dead",
			Visibility: int(w.Visibility / time.Second), Tries: w.Tries}
		if w.Trigger == routes.OnStream {
			q = Queue{ID: streamQueue, DeadName: p.Prefix + "-" + streamQueue + "-dead"}
		}
		if q.ID != "" {
			q.Alarms = p.queueAlarms(q)
			out = append(out, q)
		}
	}
	return out
}

// Queue answers a queue of the plan by its id.
func (p Plan) Queue(id string) Queue {
	for _, q := range p.Queues {
		if q.ID == id {
			return q
		}
	}
	return Queue{ID: id}
}

// The ages after which changes are given up: the stream keeps them for a day, and
// the sweep finds what is lost within minutes.
const (
	giveUp      = time.Hour
	shortGiveUp = time.Minute // the least that Lambda takes
)

func (p Plan) stream(s Settings, w routes.Worker) *StreamTrigger {
	t := &StreamTrigger{
		Batch: w.Batch, Parallel: max(w.Concurrency, 1), Retries: max(w.Tries-1, 0), MaxAge: int(giveUp.Seconds()),
		Filters: []string{work.RelayFilter}, Dead: streamQueue,
	}
	if s.ShortTimes { // one bad change must not hold up others where the poller retries whole batches
		t.Batch, t.Parallel, t.MaxAge = 1, 1, int(shortGiveUp.Seconds())
	}
	return t
}
