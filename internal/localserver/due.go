package localserver

import (
	"context"
	"log/slog"

	"holdfast/internal/queue"
	"holdfast/internal/routes"
)

// RunDue runs every schedule that is due by the clock and then handles messages
// until none is visible, those that come of it included (T.39). Meanwhile the
// loops of Run rest.
func (w *Workers) RunDue(ctx context.Context) error {
	w.mu.Lock()
	w.interrupt()
	w.mu.Unlock()
	w.turn.Lock()
	defer w.turn.Unlock()
	w.rearm()
	w.schedulesDue(ctx)
	for more := true; more; {
		more = false
		for _, one := range w.Workers {
			if one.Trigger != routes.OnQueue {
				continue
			}
			n, err := w.drain(ctx, one)
			if err != nil {
				return err
			}
			more = more || n > 0
		}
	}
	return nil
}

// drain handles what is visible in one queue and answers how many messages.
func (w *Workers) drain(ctx context.Context, one routes.Worker) (int, error) {
	ctx = named(ctx, one)
	n := 0
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		batch, err := w.Queue.Receive(ctx, queue.Name(one.Queue), size(one), 0)
		if err != nil || len(batch) == 0 {
			return n, err
		}
		w.handle(ctx, one, batch)
		n += len(batch)
	}
}

// schedulesDue runs every schedule whose time has come and answers how many.
func (w *Workers) schedulesDue(ctx context.Context) int {
	ran := 0
	for _, s := range w.schedules {
		if ctx.Err() != nil || !w.begin(s) {
			continue
		}
		ran++
		ctx := named(context.WithoutCancel(ctx), s.worker)
		if _, err := w.Functions[s.worker.ID].Invoke(ctx, scheduled); err != nil {
			w.Log.LogAttrs(ctx, slog.LevelError, "schedule failed", slog.String("worker", s.worker.ID))
		}
	}
	return ran
}

// scheduled is the event of a schedule, as far as our functions read it.
var scheduled = []byte(`{"source":"aws.events","detail-type":"Scheduled Event"}`)

// begin claims a run that is due.
func (w *Workers) begin(s *schedule) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.Clock.Now()
	if now.Before(s.next) {
		return false
	}
	s.next = now.Add(s.every)
	return true
}
