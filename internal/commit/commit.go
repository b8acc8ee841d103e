package commit

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Relay hears of every commit after it happened, and whether it moved recall, to wake
// workers at once. It must not block: what it misses, the due sweep finds.
type Relay interface {
	Committed(scope tenant.Scope, moved bool, jobs []outbox.Job)
}

// Config is what a Committer is made of.
type Config struct {
	Store store.Store
	Clock clock.Clock
	IDs   *ids.Source
	Log   *slog.Logger
	Relay Relay // nil: none (on AWS the table's stream relays)
	// Wait pauses between tries; nil: a timer that the context ends. Tests inject it.
	Wait func(ctx context.Context, d time.Duration) error
	// Jitter answers a duration in [0, d); nil: uniformly random.
	Jitter func(d time.Duration) time.Duration
}

// Committer is the Doer over a store.
type Committer struct {
	Config
	mu    sync.Mutex
	lanes map[tenant.Scope]*lane
}

// New makes a Committer.
func New(c Config) *Committer {
	if c.Wait == nil {
		c.Wait = clock.Pause
	}
	if c.Jitter == nil {
		c.Jitter = func(d time.Duration) time.Duration { return time.Duration(rand.Int64N(int64(d) + 1)) }
	}
	return &Committer{Config: c, lanes: map[tenant.Scope]*lane{}}
}

// maxPlans bounds how often a write is planned anew: each round some other
// writer of the same rows got on, so this many rounds mean a crowd.
const maxPlans = 200

// errReplan tells a writer that a condition of its plan did not hold.
var errReplan = errors.New("commit: plan again")

// Do performs one write.
func (c *Committer) Do(ctx context.Context, w Write) (Outcome, error) {
	return c.finish(ctx, w, Operation{ID: c.IDs.New()}, nil)
}

// DoMany performs writes of one scope in order.
func (c *Committer) DoMany(ctx context.Context, ws []Write) ([]Outcome, []error) {
	outs, errors := make([]Outcome, len(ws)), make([]error, len(ws))
	pendings, ops := make([]*pending, len(ws)), make([]Operation, len(ws))
	for i, w := range ws {
		ops[i] = Operation{ID: c.IDs.New(), At: c.Clock.Now()}
		p, out, err := c.plan(ctx, w, ops[i])
		pendings[i], errors[i] = p, err
		if out != nil {
			outs[i] = *out
		}
	}
	c.submit(pendings...)
	for i, p := range pendings {
		if p != nil {
			outs[i], errors[i] = c.finish(ctx, ws[i], ops[i], p) // p itself is the lane's from here on
		}
	}
	return outs, errors
}

// finish brings a write to its end: p is its first try, already in the lane, or
// nil.
func (c *Committer) finish(ctx context.Context, w Write, op Operation, p *pending) (Outcome, error) {
	for try := 0; try < maxPlans; try++ {
		if p == nil {
			var out *Outcome
			var err error
			op.At = c.Clock.Now()
			if p, out, err = c.next(ctx, w, op, try); err != nil || out != nil {
				return deref(out), err
			}
			c.submit(p)
		}
		out, err := p.wait(ctx)
		if !errors.Is(err, errReplan) {
			return out, err
		}
		p = nil
		if err := c.Wait(ctx, c.Jitter(backoff(try/8))); err != nil {
			return Outcome{}, busy(err)
		}
	}
	return Outcome{}, busy(nil)
}

// next plans a try. A later one first looks whether an earlier one, whose answer
// was lost, has happened after all.
func (c *Committer) next(ctx context.Context, w Write, op Operation, try int) (*pending, *Outcome, error) {
	if try > 0 {
		done, found, err := ledger.ReadOperation(ctx, c.Store, w.Scope, op.ID)
		if err != nil {
			return nil, nil, unavailable(err)
		}
		if found {
			return nil, &Outcome{OperationID: op.ID, Sequence: done.Last(), At: done.At, Result: done.Result}, nil
		}
	}
	return c.plan(ctx, w, op)
}

func deref(out *Outcome) Outcome {
	if out == nil {
		return Outcome{}
	}
	return *out
}

func busy(cause error) error {
	e := errs.Wrap(errs.Unavailable, "BUSY", "Too many writers at once; send the call again with the same Idempotency-Key.", cause)
	e.RetryAfter = time.Second
	return e
}

// plan answers a pending write, or the outcome when there is nothing to commit:
// a replay.
func (c *Committer) plan(ctx context.Context, w Write, op Operation) (*pending, *Outcome, error) {
	var stale *idem.Record
	if w.Key != nil {
		out, expired, err := c.replay(ctx, w)
		if err != nil || out != nil {
			return nil, out, err
		}
		stale = expired
	}
	plan, err := w.Plan(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	p := &pending{ctx: ctx, write: w, op: op, plan: plan, stale: stale, done: make(chan result, 1)}
	if err := p.build(); err != nil {
		return nil, nil, err
	}
	return p, nil, nil
}

// replay answers the first call's outcome when its key is known, or the expired
// record that still lies under the key.
func (c *Committer) replay(ctx context.Context, w Write) (*Outcome, *idem.Record, error) {
	item, found, err := c.Store.Get(ctx, idem.Record{}.Item(w.Scope, *w.Key).Key)
	if err != nil {
		return nil, nil, unavailable(err)
	}
	if !found {
		return nil, nil, nil
	}
	record := idem.FromItem(item)
	if !record.Live(c.Clock.Now()) {
		return nil, &record, nil
	}
	if record.Request != w.Key.Request {
		return nil, nil, errs.New(errs.KeyReused, "IDEMPOTENCY_KEY_REUSED",
			"This Idempotency-Key was used with another body; use a new key.")
	}
	op, _, err := ledger.ReadOperation(ctx, c.Store, w.Scope, record.OperationID)
	if err != nil {
		return nil, nil, unavailable(err)
	}
	return &Outcome{OperationID: record.OperationID, Sequence: record.Sequence, At: op.At,
		Result: record.Result, Replayed: true, Erased: record.Erased}, nil, nil
}

func unavailable(cause error) error {
	if errs.As(cause) != nil {
		return cause
	}
	return errs.Later("The store does not answer; the outcome is unknown, so send the call again with the same Idempotency-Key.", cause)
}

// backoff is the cap of the n-th pause: 10 ms doubling to 640 ms.
func backoff(n int) time.Duration { return 10 * time.Millisecond << min(n, 6) }
