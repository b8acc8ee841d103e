package outbox

import (
	"context"
	"time"

	"holdfast/internal/queue"
)

// Later is the error of work that goes on another time without having failed: it
// has come some way and its time is up, or it waits for something. The job keeps all
// its tries.
type Later struct {
	Delay time.Duration
	Cause error // what the row says; nil: nothing is wrong
}

// Error implements error.
func (l *Later) Error() string {
	if l.Cause == nil {
		return "outbox: put off"
	}
	return "outbox: put off: " + l.Cause.Error()
}

// Unwrap gives the cause.
func (l *Later) Unwrap() error { return l.Cause }

// postpone gives a job back, if the lease is still this worker's. What no message
// can be held back for is the sweep's.
func (r *Runner) postpone(ctx context.Context, job Job, rev int64, later *Later) error {
	job.State, job.Attempts, job.LastError = Pending, 0, ""
	if later.Cause != nil {
		job.LastError = code(later.Cause)
	}
	job.DueAt = r.Clock.Now().Add(later.Delay)
	if err := r.save(ctx, job, rev); err != nil {
		return ignoreTaken(err)
	}
	if later.Delay > queue.MaxDelay {
		return nil
	}
	return r.send(ctx, job.Kind, message(job.Scope, job.ID), later.Delay)
}
