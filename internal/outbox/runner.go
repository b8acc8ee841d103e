package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Tries is how often a job is tried before it is dead (T.20).
const Tries = 8

// Runner runs jobs that messages say are due.
type Runner struct {
	Store store.Store
	Queue queue.Sender
	Clock clock.Clock
	Log   *slog.Logger
	Lease time.Duration // longer than a try can take
	// OnDead hears of a job that is given up, before its row says so; nil: nobody.
	OnDead func(ctx context.Context, job Job) error
}

// Message is the body of a queue message: ids only.
type Message struct {
	Tenant    string `json:"tenant"`
	Workspace string `json:"workspace"`
	Job       string `json:"job,omitempty"`
}

// Encode is the message's text.
func (m Message) Encode() string {
	raw, err := json.Marshal(m)
	if err != nil {
		panic("outbox: message: " + err.Error()) // a struct of strings
	}
	return string(raw)
}

// Scope is the scope that a committed row put into the message.
func (m Message) Scope() tenant.Scope { return tenant.Grant(m.Tenant, m.Workspace) }

// ErrBadMessage: a body that no worker can read.
var ErrBadMessage = errors.New("outbox: message is not one of ours")

// ParseMessage reads a body.
func ParseMessage(body string) (Message, error) {
	var m Message
	if err := json.Unmarshal([]byte(body), &m); err != nil || m.Tenant == "" || m.Workspace == "" {
		return Message{}, ErrBadMessage
	}
	return m, nil
}

// NewMessage says that a job is due, or without one that the scope moved.
func NewMessage(scope tenant.Scope, job string) Message { return message(scope, job) }

func message(scope tenant.Scope, job string) Message {
	return Message{Tenant: scope.TenantID(), Workspace: scope.WorkspaceID(), Job: job}
}

// Run claims a job and runs work, whose commit must remove the job with
// Job.Done. A job that is gone, dead or leased by somebody else is passed over.
// When work fails the job is put off, or dead after its tries, and Run answers
// nil: the failure is counted on the row, not by the queue. Work that answers Later
// has not failed.
func (r *Runner) Run(ctx context.Context, scope tenant.Scope, id string, work func(context.Context, Job) error) error {
	job, rev, ok, err := r.claim(ctx, scope, id)
	if err != nil || !ok {
		return err
	}
	if job.Attempts > Tries { // its workers died without a word
		return r.putOff(ctx, job, rev, errLost)
	}
	err = work(ctx, job)
	if err == nil {
		return nil
	}
	var later *Later
	if errors.As(err, &later) {
		return r.postpone(context.WithoutCancel(ctx), job, rev, later)
	}
	r.Log.LogAttrs(ctx, slog.LevelWarn, "job failed", slog.String("job", id), slog.String("kind", string(job.Kind)),
		slog.Int("attempt", job.Attempts), slog.String("code", code(err)))
	return r.putOff(context.WithoutCancel(ctx), job, rev, err)
}

func (r *Runner) load(ctx context.Context, scope tenant.Scope, id string) (Job, int64, bool, error) {
	item, found, err := r.Store.Get(ctx, keys.Job(scope, id))
	if err != nil || !found {
		return Job{}, 0, false, err
	}
	job, err := fromItem(item)
	return job, item.Attrs.Int(attrRev), err == nil, err
}

// claim leases a job and answers the revision that the lease gave its row.
func (r *Runner) claim(ctx context.Context, scope tenant.Scope, id string) (Job, int64, bool, error) {
	job, rev, found, err := r.load(ctx, scope, id)
	now := r.Clock.Now()
	if err != nil || !found || job.State == Dead || job.State == Running && now.Before(job.DueAt) {
		return Job{}, 0, false, err
	}
	job.State, job.Attempts, job.DueAt = Running, job.Attempts+1, now.Add(r.Lease)
	err = r.save(ctx, job, rev)
	if errors.Is(err, errTaken) {
		return Job{}, 0, false, nil
	}
	return job, rev + 1, err == nil, err
}

var errLost = errs.New(errs.Internal, "LEASE_EXPIRED", "The workers of this job died.")

var errTaken = errors.New("outbox: somebody else changed the job")

// save writes a job's row if it is still at this revision.
func (r *Runner) save(ctx context.Context, job Job, rev int64) error {
	item, err := job.item(rev + 1)
	if err != nil {
		return err
	}
	err = r.Store.Commit(ctx, store.Tx{Actions: []store.Action{
		store.PutItem("job", item, store.IfEqual(attrRev, store.N(rev)))}})
	if store.Failed(err, "job") {
		return errTaken
	}
	return err
}

// putOff ends a failed try, if the lease is still this worker's: a job that is
// gone, or that another has taken since, is left alone.
func (r *Runner) putOff(ctx context.Context, job Job, rev int64, cause error) error {
	_, now, found, err := r.load(ctx, job.Scope, job.ID)
	if err != nil || !found || now != rev {
		return err
	}
	job.State, job.LastError = Failed, code(cause)
	delay := Delay(job.Attempts)
	if job.Attempts >= Tries {
		if err := r.giveUp(ctx, job); err != nil {
			return err
		}
		job.State = Dead
	}
	job.DueAt = r.Clock.Now().Add(delay)
	if err := r.save(ctx, job, rev); err != nil {
		if errors.Is(err, errTaken) {
			return nil
		}
		return err
	}
	if job.State == Dead {
		r.Log.LogAttrs(ctx, slog.LevelError, "job dead", slog.String("job", job.ID), slog.String("kind", string(job.Kind)))
		return nil
	}
	return r.send(ctx, job.Kind, message(job.Scope, job.ID), delay)
}

func (r *Runner) giveUp(ctx context.Context, job Job) error {
	if r.OnDead == nil {
		return nil
	}
	return r.OnDead(ctx, job)
}

// Delay is the pause after a failed try: 2 s doubling, at most 10 minutes.
func Delay(attempts int) time.Duration {
	return min(time.Second<<min(attempts, 20), 10*time.Minute)
}

func (r *Runner) send(ctx context.Context, kind Kind, m Message, delay time.Duration) error {
	each, err := r.Queue.Send(ctx, queue.Name(kind), []queue.Message{{Body: m.Encode(), Delay: delay}})
	if err == nil && len(each) > 0 {
		err = each[0]
	}
	if err != nil {
		return fmt.Errorf("outbox: send: %w", err)
	}
	return nil
}

// code is what a job's row says of a failure: a stable code, never a text.
func code(err error) string {
	if e := errs.As(err); e != nil {
		return e.Code
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "TIMEOUT"
	}
	return "INTERNAL"
}

// Done is the action that removes a job in the commit of its effect.
func (j Job) Done() store.Action { return store.DeleteItem("job", keys.Job(j.Scope, j.ID), nil) }
