package outbox

import (
	"context"
	"log/slog"
	"sync"

	"holdfast/internal/queue"
	"holdfast/internal/tenant"
)

// Relay wakes workers right after commits of this process, as the table's stream
// does on AWS. It gathers what happened while it was sending, so that a busy
// workspace costs one message a turn. What it cannot send, the due sweep finds.
type Relay struct {
	// Watched tells whether a workspace has webhooks, which hear of every commit; nil:
	// none has. Flush asks it, not the writers.
	Watched func(ctx context.Context, scope tenant.Scope) (bool, error)

	queue queue.Sender
	log   *slog.Logger
	wake  chan struct{}

	mu    sync.Mutex
	moved map[tenant.Scope]bool // scopes that were committed to: whether recall moved
	jobs  []Job
}

// maxHeld bounds the jobs that wait to be sent; the sweep finds the rest.
const maxHeld = 10000

// NewRelay makes a relay; Run sends.
func NewRelay(q queue.Sender, log *slog.Logger) *Relay {
	return &Relay{queue: q, log: log, wake: make(chan struct{}, 1), moved: map[tenant.Scope]bool{}}
}

// Committed notes what a commit did, and whether recall moved. It never blocks.
func (r *Relay) Committed(scope tenant.Scope, moved bool, jobs []Job) {
	r.mu.Lock()
	r.moved[scope] = r.moved[scope] || moved
	if len(r.jobs) < maxHeld {
		r.jobs = append(r.jobs, jobs...)
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run sends until ctx ends.
func (r *Relay) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
			r.Flush(ctx)
		}
	}
}

// Flush sends what is noted.
func (r *Relay) Flush(ctx context.Context) {
	r.mu.Lock()
	moved, jobs := r.moved, r.jobs
	r.moved, r.jobs = map[tenant.Scope]bool{}, nil
	r.mu.Unlock()
	out := map[queue.Name][]queue.Message{}
	for scope, recall := range moved {
		m := queue.Message{Body: message(scope, "").Encode()}
		if recall {
			out[queue.Index] = append(out[queue.Index], m)
		}
		if r.watched(ctx, scope) {
			out[queue.Events] = append(out[queue.Events], m)
		}
	}
	for _, job := range jobs {
		name := queue.Name(job.Kind)
		out[name] = append(out[name], queue.Message{Body: message(job.Scope, job.ID).Encode()})
	}
	for name, messages := range out {
		r.send(ctx, name, messages)
	}
}

// watched is Watched; what cannot be read is left to the sweep.
func (r *Relay) watched(ctx context.Context, scope tenant.Scope) bool {
	if r.Watched == nil {
		return false
	}
	is, err := r.Watched(ctx, scope)
	if err != nil {
		r.log.LogAttrs(ctx, slog.LevelWarn, "relay could not read", slog.String("queue", string(queue.Events)))
	}
	return is
}

func (r *Relay) send(ctx context.Context, name queue.Name, messages []queue.Message) {
	for len(messages) > 0 {
		n := min(len(messages), queue.MaxBatch)
		if _, err := r.queue.Send(ctx, name, messages[:n]); err != nil {
			r.log.LogAttrs(ctx, slog.LevelWarn, "relay could not send", slog.String("queue", string(name)))
		}
		messages = messages[n:]
	}
}
