package localserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/clock"
	"holdfast/internal/lambdawork"
	"holdfast/internal/obs"
	"holdfast/internal/queue"
	"holdfast/internal/queue/memqueue"
	"holdfast/internal/routes"
)

var (
	indexWorker = routes.Worker{ID: "worker-index", Trigger: routes.OnQueue, Queue: "index", Batch: 10, Concurrency: 2,
		Visibility: time.Minute, Tries: 3, Timeout: 10 * time.Second}
	eraseWorker = routes.Worker{ID: "worker-erase", Trigger: routes.OnQueue, Queue: "erase", Batch: 1, Concurrency: 1,
		Visibility: time.Minute, Tries: 3, Timeout: 10 * time.Second}
	sweepWorker = routes.Worker{ID: "worker-sweep", Trigger: routes.OnSchedule, Every: time.Minute, Timeout: 10 * time.Second}
)

// world is two queues, a clock and workers whose functions tests replace.
type world struct {
	clock *clock.Fixed
	queue *memqueue.Queue
	log   bytes.Buffer
	on    map[string]func(body string) error // by worker
	sweep func() error
	every map[string]time.Duration
}

func newWorld() *world {
	w := &world{clock: clock.NewFixed(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), on: map[string]func(string) error{}}
	w.queue = memqueue.New(w.clock, memqueue.Options{
		Visibility:  map[queue.Name]time.Duration{"index": time.Minute, "erase": time.Minute},
		MaxReceives: map[queue.Name]int{"index": 3, "erase": 3},
	})
	w.sweep = func() error { return nil }
	return w
}

func (w *world) workers(t *testing.T) *Workers {
	t.Helper()
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	functions := map[string]lambda.Handler{
		sweepWorker.ID: lambdawork.Schedule(sweepWorker, func(context.Context) error { return w.sweep() }, log),
	}
	for _, one := range []routes.Worker{indexWorker, eraseWorker} {
		functions[one.ID] = lambdawork.Queue(one, func(_ context.Context, body string) error { return w.on[one.ID](body) }, log)
	}
	out, err := NewWorkers(Options{Workers: []routes.Worker{indexWorker, eraseWorker, sweepWorker}, Functions: functions,
		Queue: w.queue, Clock: w.clock, Log: slog.New(slog.NewJSONHandler(&w.log, nil)), Every: w.every})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (w *world) send(t *testing.T, name queue.Name, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		if _, err := w.queue.Send(context.Background(), name, []queue.Message{{Body: body}}); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) depth(t *testing.T, name queue.Name) queue.Depth {
	t.Helper()
	d, err := w.queue.Depth(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func runDue(t *testing.T, w *Workers) {
	t.Helper()
	if err := w.RunDue(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestT20OnlyWhatWasDoneIsDeleted: a failed message comes back after its
// visibility, its tries are counted, then it is dead; the others are gone.
func TestT20OnlyWhatWasDoneIsDeleted(t *testing.T) {
	w := newWorld()
	var seen []string
	w.on[indexWorker.ID] = func(body string) error {
		seen = append(seen, body)
		if body == "poison" {
			return errors.New("no")
		}
		return nil
	}
	workers := w.workers(t)
	w.send(t, "index", "a", "poison", "b")
	runDue(t, workers)
	if !slices.Equal(seen, []string{"a", "poison", "b"}) {
		t.Fatalf("handled %q", seen)
	}
	if d := w.depth(t, "index"); d != (queue.Depth{InFlight: 1}) {
		t.Fatalf("depth %+v", d)
	}
	for range 4 {
		w.clock.Advance(61 * time.Second)
		runDue(t, workers)
	}
	if n := len(seen); n != 5 {
		t.Errorf("%d deliveries, want 5: three of the poisoned one", n)
	}
	if d := w.depth(t, "index"); d != (queue.Depth{Dead: 1}) {
		t.Errorf("depth %+v", d)
	}
}

// TestAFunctionThatDoesNotAnswerKeepsItsBatch: errors, answers that are none, ids
// that were not sent.
func TestAFunctionThatDoesNotAnswerKeepsItsBatch(t *testing.T) {
	for name, f := range map[string]function{
		"error":   func(context.Context, []byte) ([]byte, error) { return nil, errors.New("kanarya") },
		"no JSON": func(context.Context, []byte) ([]byte, error) { return []byte("kanarya"), nil },
		"empty id": func(context.Context, []byte) ([]byte, error) {
			return []byte(`{"batchItemFailures":[{"itemIdentifier":""}]}`), nil
		},
		"unknown id": func(context.Context, []byte) ([]byte, error) {
			return []byte(`{"batchItemFailures":[{"itemIdentifier":"x"}]}`), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			workers := w.workers(t)
			workers.Functions[indexWorker.ID] = f
			w.send(t, "index", "a", "b")
			runDue(t, workers)
			if d := w.depth(t, "index"); d != (queue.Depth{InFlight: 2}) {
				t.Errorf("depth %+v", d)
			}
			if strings.Contains(w.log.String(), "kanarya") {
				t.Errorf("log %s", &w.log)
			}
		})
	}
}

// TestEventsAreThoseOfSQS: ids, bodies, receive counts.
func TestEventsAreThoseOfSQS(t *testing.T) {
	w := newWorld()
	var got events.SQSEvent
	workers := w.workers(t)
	workers.Functions[indexWorker.ID] = function(func(_ context.Context, payload []byte) ([]byte, error) {
		return []byte(`{"batchItemFailures":[]}`), json.Unmarshal(payload, &got)
	})
	w.send(t, "index", `{"tenant":"t"}`)
	runDue(t, workers)
	if len(got.Records) != 1 {
		t.Fatalf("%+v", got)
	}
	m := got.Records[0]
	if m.Body != `{"tenant":"t"}` || m.MessageId == "" || m.ReceiptHandle == "" || m.EventSource != "aws:sqs" ||
		!strings.HasSuffix(m.EventSourceARN, ":index") || m.Attributes["ApproximateReceiveCount"] != "1" || m.Attributes["SentTimestamp"] != "1772355600000" {
		t.Errorf("%+v", m)
	}
	if d := w.depth(t, "index"); d != (queue.Depth{}) {
		t.Errorf("depth %+v", d)
	}
}

// TestT39DueWorkRunsAtOnce: schedules by the clock, then all messages, those that
// come of it included, in every queue.
func TestT39DueWorkRunsAtOnce(t *testing.T) {
	w := newWorld()
	w.every = map[string]time.Duration{}
	sweeps := 0
	var indexed, erased []string
	w.sweep = func() error {
		sweeps++
		w.send(t, "erase", "job")
		return nil
	}
	w.on[eraseWorker.ID] = func(body string) error {
		erased = append(erased, body)
		w.send(t, "index", "after the erasure")
		return nil
	}
	w.on[indexWorker.ID] = func(body string) error { indexed = append(indexed, body); return nil }
	workers := w.workers(t)
	runDue(t, workers)
	if sweeps != 1 || len(erased) != 1 || !slices.Equal(indexed, []string{"after the erasure"}) {
		t.Fatalf("at start: %d sweeps, erased %q, indexed %q", sweeps, erased, indexed)
	}
	w.clock.Advance(59 * time.Second)
	runDue(t, workers)
	if sweeps != 1 {
		t.Errorf("%d sweeps before the period was over", sweeps)
	}
	w.clock.Advance(time.Second)
	runDue(t, workers)
	if sweeps != 2 || len(erased) != 2 || len(indexed) != 2 {
		t.Errorf("after a minute: %d sweeps, %d erased, %d indexed", sweeps, len(erased), len(indexed))
	}
}

// TestSchedulesCanBeQuickerThanOnAWS and a failed run does not stop the next.
func TestSchedulesCanBeQuickerThanOnAWS(t *testing.T) {
	w := newWorld()
	w.every = map[string]time.Duration{sweepWorker.ID: 2 * time.Second}
	runs := 0
	w.sweep = func() error { runs++; return errors.New("kanarya") }
	workers := w.workers(t)
	for range 3 {
		runDue(t, workers)
		w.clock.Advance(2 * time.Second)
	}
	if runs != 3 || !strings.Contains(w.log.String(), "schedule failed") || strings.Contains(w.log.String(), "kanarya") {
		t.Errorf("%d runs, log %s", runs, &w.log)
	}
}

// TestLinesOfTheLoopsNameTheirWorker, whether a message or a schedule is at fault.
func TestLinesOfTheLoopsNameTheirWorker(t *testing.T) {
	w := newWorld()
	workers := w.workers(t)
	workers.Log = obs.NewLogger(&w.log, nil)
	w.sweep = func() error { return errors.New("kanarya") }
	var below string
	workers.Functions[indexWorker.ID] = function(func(ctx context.Context, _ []byte) ([]byte, error) {
		below = obs.From(ctx).Route
		return nil, errors.New("kanarya")
	})
	w.send(t, "index", "a")
	runDue(t, workers)
	for _, want := range []string{`"msg":"batch failed","route":"worker-index"`, `"msg":"schedule failed","route":"worker-sweep"`} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("no %s in %s", want, &w.log)
		}
	}
	if below != indexWorker.ID {
		t.Errorf("the function's lines have the route %q", below)
	}
}

// TestT38RunFinishesWhatItBegan: the end stops the waiting, not the work.
func TestT38RunFinishesWhatItBegan(t *testing.T) {
	w := newWorld()
	began, goOn := make(chan struct{}), make(chan struct{})
	w.on[indexWorker.ID] = func(string) error { close(began); <-goOn; return nil }
	workers := w.workers(t)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { workers.Run(ctx); close(over) }()
	w.send(t, "index", "a")
	<-began
	cancel()
	select {
	case <-over:
		t.Fatal("Run returned with a batch in hand")
	default:
	}
	close(goOn)
	<-over
	if d := w.depth(t, "index"); d != (queue.Depth{}) {
		t.Errorf("depth %+v: the message was not deleted", d)
	}
}

// TestT39RunDueTakesItsTurnFromTheLoops: while Run waits for messages, RunDue has
// handled all when it returns.
func TestT39RunDueTakesItsTurnFromTheLoops(t *testing.T) {
	w := newWorld()
	var mu sync.Mutex
	handled := 0
	w.on[indexWorker.ID] = func(string) error { mu.Lock(); defer mu.Unlock(); handled++; return nil }
	workers := w.workers(t)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { workers.Run(ctx); close(over) }()
	for n := 1; n <= 50; n++ {
		w.send(t, "index", "a", "b", "c")
		runDue(t, workers)
		mu.Lock()
		if handled != 3*n {
			t.Fatalf("round %d: %d handled", n, handled)
		}
		mu.Unlock()
	}
	cancel()
	<-over
}

// broken is a queue that does not answer, until it is told to.
type broken struct {
	queue.Queue
	asked chan struct{}
}

func (b broken) Receive(ctx context.Context, _ queue.Name, _ int, _ time.Duration) ([]queue.Received, error) {
	select {
	case b.asked <- struct{}{}:
	case <-ctx.Done():
	}
	return nil, errors.New("kanarya")
}

// TestAQueueThatFailsDoesNotStopTheLoops nor RunDue for ever.
func TestAQueueThatFailsDoesNotStopTheLoops(t *testing.T) {
	w := newWorld()
	workers := w.workers(t)
	b := broken{Queue: w.queue, asked: make(chan struct{}, 100)}
	workers.Queue = b
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { workers.Run(ctx); close(over) }()
	<-b.asked
	if err := workers.RunDue(ctx); err == nil {
		t.Error("RunDue hides that the queue failed")
	}
	cancel()
	<-over
}

// TestRunDueEndsWithItsContext: work that makes work for ever.
func TestRunDueEndsWithItsContext(t *testing.T) {
	w := newWorld()
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	w.on[indexWorker.ID] = func(string) error {
		if n++; n == 20 {
			cancel()
		}
		w.send(t, "index", "again")
		return nil
	}
	w.send(t, "index", "first")
	if err := w.workers(t).RunDue(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestWorkersWithoutAFunctionAreAnError at start.
func TestWorkersWithoutAFunctionAreAnError(t *testing.T) {
	if _, err := NewWorkers(Options{Workers: []routes.Worker{indexWorker}}); err == nil {
		t.Error("no error")
	}
}
