package memqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/queue"
)

// What a queue has when Options say nothing: the visibility is that of a new SQS
// queue, the tries those of T.20.
const (
	DefaultVisibility  = 30 * time.Second
	DefaultMaxReceives = 8
	DefaultMaxMessages = 100_000
	DefaultMaxBytes    = 64 << 20
)

// ErrFull: the queue holds as much as it may; the message was not taken.
var ErrFull = errors.New("memqueue: queue is full")

// ErrUnknownQueue: there is no queue of this name.
var ErrUnknownQueue = errors.New("memqueue: no such queue")

// Options set the queues up; zero members mean the defaults.
type Options struct {
	Visibility  map[queue.Name]time.Duration // how long a delivered message stays hidden
	MaxReceives map[queue.Name]int           // deliveries before a message is dead
	MaxMessages int                          // a queue, waiting, in flight and dead together
	MaxBytes    int                          // of bodies, likewise
}

// Queue is the port in memory, with one line for each of queue.Names.
type Queue struct {
	clock clock.Clock
	lines map[queue.Name]*line
}

var _ queue.Queue = (*Queue)(nil)

// New makes empty queues.
func New(c clock.Clock, o Options) *Queue {
	q := &Queue{clock: c, lines: make(map[queue.Name]*line, len(queue.Names()))}
	for _, name := range queue.Names() {
		q.lines[name] = newLine(limits{
			visibility:  or(o.Visibility[name], DefaultVisibility),
			maxReceives: or(o.MaxReceives[name], DefaultMaxReceives),
			maxMessages: or(o.MaxMessages, DefaultMaxMessages),
			maxBytes:    or(o.MaxBytes, DefaultMaxBytes),
		})
	}
	return q
}

// Send implements queue.Sender. A message over a limit of the port is refused with
// queue.ErrTooLarge, one that finds no room with ErrFull.
func (q *Queue) Send(ctx context.Context, name queue.Name, batch []queue.Message) ([]error, error) {
	l, err := q.line(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(batch) < 1 || len(batch) > queue.MaxBatch {
		return nil, fmt.Errorf("%w: batch of %d messages", queue.ErrTooLarge, len(batch))
	}
	return l.send(q.clock.Now(), batch), nil
}

// Receive implements queue.Queue. It sleeps on a channel until a message comes, one
// becomes visible, wait is over or ctx ends; no message is no error.
func (q *Queue) Receive(ctx context.Context, name queue.Name, limit int, wait time.Duration) ([]queue.Received, error) {
	l, err := q.line(ctx, name)
	if err != nil {
		return nil, err
	}
	if limit < 1 || limit > queue.MaxBatch {
		return nil, fmt.Errorf("%w: receive of %d messages", queue.ErrTooLarge, limit)
	}
	got, due := l.receive(q.clock.Now(), limit)
	if len(got) > 0 || wait <= 0 {
		return got, nil
	}
	return q.await(ctx, l, limit, wait, due)
}

// await is the long poll. One sleeper is woken for each event; it passes the wake
// on when it leaves messages behind or gives up, so that none is lost.
func (q *Queue) await(ctx context.Context, l *line, limit int, wait time.Duration, due time.Time) ([]queue.Received, error) {
	end := time.NewTimer(wait)
	defer end.Stop()
	for {
		visible, stop := q.timer(due)
		select {
		case <-ctx.Done():
			stop()
			l.wake()
			return nil, ctx.Err()
		case <-end.C:
			stop()
			got, _ := l.receive(q.clock.Now(), limit)
			l.wake()
			return got, nil
		case <-visible:
		case <-l.signal:
		}
		stop()
		var got []queue.Received
		if got, due = l.receive(q.clock.Now(), limit); len(got) > 0 {
			l.wakeIfReady()
			return got, nil
		}
	}
}

// timer fires when a hidden message becomes visible; never when there is none.
func (q *Queue) timer(due time.Time) (<-chan time.Time, func()) {
	if due.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(max(due.Sub(q.clock.Now()), time.Millisecond))
	return t.C, func() { t.Stop() }
}

// Delete implements queue.Queue.
func (q *Queue) Delete(ctx context.Context, name queue.Name, handle string) error {
	l, err := q.line(ctx, name)
	if err != nil {
		return err
	}
	return l.remove(handle)
}

// Release implements queue.Queue. A message whose visibility ran out is no longer
// held, so its handle is bad.
func (q *Queue) Release(ctx context.Context, name queue.Name, handle string, after time.Duration) error {
	l, err := q.line(ctx, name)
	if err != nil {
		return err
	}
	return l.release(q.clock.Now(), handle, after)
}

// Dead implements queue.Queue; the oldest death comes first.
func (q *Queue) Dead(ctx context.Context, name queue.Name, limit int) ([]queue.Received, error) {
	l, err := q.line(ctx, name)
	if err != nil {
		return nil, err
	}
	return l.listDead(q.clock.Now(), limit), nil
}

// Redrive implements queue.Queue. What comes back counts its deliveries anew.
func (q *Queue) Redrive(ctx context.Context, name queue.Name, limit int) (int, error) {
	l, err := q.line(ctx, name)
	if err != nil {
		return 0, err
	}
	return l.redrive(q.clock.Now(), limit), nil
}

// Depth implements queue.Queue; its counts are exact. A delayed message waits.
func (q *Queue) Depth(ctx context.Context, name queue.Name) (queue.Depth, error) {
	l, err := q.line(ctx, name)
	if err != nil {
		return queue.Depth{}, err
	}
	return l.depth(q.clock.Now()), nil
}

// Wake lets every sleeping Receive look at the clock again: for whoever moves a
// test clock forward (T.39).
func (q *Queue) Wake() {
	for _, l := range q.lines {
		l.wake()
	}
}

func (q *Queue) line(ctx context.Context, name queue.Name) (*line, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := q.lines[name]
	if l == nil {
		return nil, ErrUnknownQueue
	}
	return l, nil
}

func or[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}
