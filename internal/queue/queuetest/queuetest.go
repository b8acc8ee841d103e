// Package queuetest is the conformance suite of the queue port: one subtest for
// each sentence of the port's contract. It imports the port and testing.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"holdfast/internal/queue"
)

// Subject is a fresh queue under test.
type Subject struct {
	Queue       queue.Queue
	Name        queue.Name          // the queue to use; empty before the test began
	Visibility  time.Duration       // of that queue
	MaxReceives int                 // of that queue; at least 2
	Pass        func(time.Duration) // lets this much time go by for the queue
	Delay       time.Duration       // how long messages are held back; 0: a minute
}

// Exceptions names subtests that an adapter cannot pass, each with the reason.
// They are reported as passed over, never silently left out.
type Exceptions map[string]string

// Run runs the suite; fresh is called once a subtest.
func Run(t *testing.T, fresh func(t *testing.T) Subject, except Exceptions) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if why, ok := except[c.name]; ok {
				t.Skipf("declared exception: %s", why)
			}
			w := &world{T: t, Subject: fresh(t)}
			if w.Delay == 0 {
				w.Delay = time.Minute
			}
			c.run(w)
		})
	}
}

var cases = []struct {
	name string
	run  func(*world)
}{
	{"a message is delivered at least once", deliveredAtLeastOnce},
	{"every message of many is delivered", everyMessage},
	{"a received message is invisible", invisible},
	{"it comes back after the visibility timeout", comesBack},
	{"it does not come back when it was deleted before", deletedStaysAway},
	{"the receive count grows with each delivery", countGrows},
	{"a message received more often than MaxReceives goes to the dead letters", dies},
	{"a dead message leaves its neighbours alone", deadIsAlone},
	{"a delay holds a new message back", delayed},
	{"a delay over 15 minutes is refused", delayTooLong},
	{"a message of 256 KB is taken and a larger one refused", sizeLimit},
	{"a batch has 1 to 10 messages", batchLimit},
	{"a refused message takes no other with it", refusedAlone},
	{"a receive answers 1 to 10 messages", receiveLimit},
	{"a receive waits for a message", receiveWaits},
	{"a receive waits no longer than asked", receiveEnds},
	{"a receive ends with its context", receiveCancelled},
	{"a sleeping receive gets what becomes visible", receiveVisible},
	{"an unknown handle deletes nothing", unknownHandle},
	{"an outdated handle deletes nothing", outdatedHandle},
	{"release makes a message visible at once", releaseNow},
	{"release makes a message visible after a delay", releaseLater},
	{"release of an unknown handle is refused", releaseUnknown},
	{"dead answers without removing", deadStays},
	{"redrive moves dead messages back and counts them", redrives},
	{"redrive moves no more than its limit", redriveLimit},
	{"depth counts waiting, in flight and dead", depth},
	{"queues do not mix", queuesApart},
	{"an unknown queue is refused", unknownQueue},
	{"a body comes back byte for byte", bodyKept},
	{"concurrent consumers share the messages", concurrent},
}

// world is a subtest with its queue.
type world struct {
	*testing.T
	Subject
}

func (w *world) ctx() context.Context { return w.Context() }

func (w *world) send(bodies ...string) {
	w.Helper()
	for _, body := range bodies {
		w.sendOne(queue.Message{Body: body})
	}
}

func (w *world) sendOne(m queue.Message) {
	w.Helper()
	errs, err := w.Queue.Send(w.ctx(), w.Name, []queue.Message{m})
	if err != nil || len(errs) != 1 || errs[0] != nil {
		w.Fatalf("send: %v, %v", errs, err)
	}
}

func (w *world) receive(limit int) []queue.Received {
	w.Helper()
	got, err := w.Queue.Receive(w.ctx(), w.Name, limit, 0)
	if err != nil {
		w.Fatalf("receive: %v", err)
	}
	return got
}

// one receives exactly one message.
func (w *world) one() queue.Received {
	w.Helper()
	got := w.receive(1)
	if len(got) != 1 {
		w.Fatalf("received %d messages, want 1", len(got))
	}
	return got[0]
}

func (w *world) none(when string) {
	w.Helper()
	if got := w.receive(queue.MaxBatch); len(got) != 0 {
		w.Fatalf("received %d messages %s, want none", len(got), when)
	}
}

func (w *world) remove(handle string) {
	w.Helper()
	if err := w.Queue.Delete(w.ctx(), w.Name, handle); err != nil {
		w.Fatalf("delete: %v", err)
	}
}

func (w *world) wants(err, target error) {
	w.Helper()
	if !errors.Is(err, target) {
		w.Fatalf("error %v, want %v", err, target)
	}
}

// kill delivers the waiting messages until they are dead.
func (w *world) kill() {
	w.Helper()
	for range w.MaxReceives {
		w.receive(queue.MaxBatch)
		w.Pass(w.Visibility)
	}
	w.none("after the last try")
}

func (w *world) deadBodies(limit int) []string {
	w.Helper()
	dead, err := w.Queue.Dead(w.ctx(), w.Name, limit)
	if err != nil {
		w.Fatalf("dead: %v", err)
	}
	var out []string
	for _, m := range dead {
		out = append(out, m.Body)
	}
	return out
}

func numbered(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`{"n":%d}`, i))
	}
	return out
}

func large(n int) string { return strings.Repeat("x", n) }
