package localserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/obs"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
)

// Options are what workers need.
type Options struct {
	Workers   []routes.Worker
	Functions map[string]lambda.Handler // by worker id
	Queue     queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger
	// Every replaces the period of scheduled workers by id: AWS knows whole minutes
	// only, one process can be quicker.
	Every map[string]time.Duration
}

// Workers run the functions that no caller waits for.
type Workers struct {
	Options
	schedules []*schedule

	// turn is held for reading while messages are taken and handled, and for writing
	// by RunDue, which then sees no message in anybody's hands.
	turn sync.RWMutex

	mu        sync.Mutex
	receiving context.Context // ends when RunDue wants its turn
	interrupt context.CancelFunc
}

// schedule is a scheduled worker and when it runs next.
type schedule struct {
	worker routes.Worker
	every  time.Duration
	next   time.Time // zero: at once, since the process has just begun
}

// NewWorkers makes workers; one without a function is an error.
func NewWorkers(o Options) (*Workers, error) {
	w := &Workers{Options: o}
	w.rearm()
	for _, one := range o.Workers {
		if o.Functions[one.ID] == nil {
			return nil, fmt.Errorf("localserver: worker %s has no function", one.ID)
		}
		if one.Trigger != routes.OnSchedule {
			continue
		}
		s := &schedule{worker: one, every: one.Every}
		if own := o.Every[one.ID]; own > 0 {
			s.every = own
		}
		w.schedules = append(w.schedules, s)
	}
	return w, nil
}

// tick is how often schedules are looked at, and pause how long a loop rests
// after its queue failed.
const (
	tick     = time.Second
	pause    = time.Second
	longPoll = 20 * time.Second
)

// Run works until ctx ends, and returns when what was begun is finished.
func (w *Workers) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { w.keepTime(ctx) })
	for _, one := range w.Workers {
		if one.Trigger != routes.OnQueue {
			continue
		}
		for range max(one.Concurrency, 1) {
			all.Go(func() { w.pump(ctx, one) })
		}
	}
	all.Wait()
}

// keepTime runs schedules as they come due.
func (w *Workers) keepTime(ctx context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		w.turn.RLock()
		w.schedulesDue(ctx)
		w.turn.RUnlock()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// named gives a worker's name to every line that is logged with the context.
func named(ctx context.Context, one routes.Worker) context.Context {
	return obs.With(ctx, obs.Fields{Route: one.ID})
}

// pump takes messages and has them handled, a batch at a time.
func (w *Workers) pump(ctx context.Context, one routes.Worker) {
	ctx = named(ctx, one)
	for ctx.Err() == nil {
		if err := w.once(ctx, one); err != nil {
			w.Log.LogAttrs(ctx, slog.LevelError, "queue", slog.String("worker", one.ID), slog.String("error", errs.Describe(err)))
			_ = clock.Pause(ctx, pause) // the loop looks at ctx itself
		}
	}
}

// once takes a batch, if need be waits for it, and handles it.
func (w *Workers) once(ctx context.Context, one routes.Worker) error {
	w.turn.RLock()
	defer w.turn.RUnlock()
	waiting, cancel := w.interruptible(ctx)
	defer cancel()
	batch, err := w.Queue.Receive(waiting, queue.Name(one.Queue), size(one), longPoll)
	if err != nil && waiting.Err() != nil && errors.Is(err, waiting.Err()) {
		return nil // the end, or RunDue's turn
	}
	if err != nil || len(batch) == 0 {
		return err
	}
	w.handle(ctx, one, batch)
	return nil
}

func size(one routes.Worker) int { return min(max(one.Batch, 1), queue.MaxBatch) }

// interruptible is ctx, ended also when RunDue wants its turn.
func (w *Workers) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	both, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(w.receiving, cancel)
	return both, func() { stop(); cancel() }
}

func (w *Workers) rearm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.receiving, w.interrupt = context.WithCancel(context.Background())
}

// handle has a batch handled and deletes what was done. The batch is finished
// even when ctx ends.
func (w *Workers) handle(ctx context.Context, one routes.Worker, batch []queue.Received) {
	ctx = context.WithoutCancel(ctx)
	failed := w.invoke(ctx, one, batch)
	for _, m := range batch {
		if failed == nil || failed[m.ID] {
			continue
		}
		if err := w.Queue.Delete(ctx, queue.Name(one.Queue), m.Handle); err != nil {
			w.Log.LogAttrs(ctx, slog.LevelWarn, "message not deleted", slog.String("worker", one.ID), slog.String("message", m.ID))
		}
	}
}
