package queuetest

import (
	"errors"
	"time"

	"holdfast/internal/queue"
)

func delayed(w *world) {
	w.sendOne(queue.Message{Body: "a", Delay: w.Delay})
	w.none("before its delay is over")
	w.Pass(w.Delay)
	if got := w.one(); got.Receives != 1 {
		w.Fatalf("first delivery says %d", got.Receives)
	}
}

func delayTooLong(w *world) {
	w.refused(queue.Message{Body: "a", Delay: queue.MaxDelay + time.Second})
	w.refused(queue.Message{Body: "a", Delay: -time.Second})
	w.sendOne(queue.Message{Body: "a", Delay: queue.MaxDelay})
}

func sizeLimit(w *world) {
	w.refused(queue.Message{Body: large(queue.MaxBody + 1)})
	w.sendOne(queue.Message{Body: large(queue.MaxBody)})
	if got := w.one(); len(got.Body) != queue.MaxBody {
		w.Fatalf("received %d bytes", len(got.Body))
	}
}

func (w *world) refused(m queue.Message) {
	w.Helper()
	errs, err := w.Queue.Send(w.ctx(), w.Name, []queue.Message{m})
	if err != nil || len(errs) != 1 || !errors.Is(errs[0], queue.ErrTooLarge) {
		w.Fatalf("send answered %v, %v", errs, err)
	}
}

func batchLimit(w *world) {
	for _, n := range []int{0, queue.MaxBatch + 1} {
		_, err := w.Queue.Send(w.ctx(), w.Name, make([]queue.Message, n))
		w.wants(err, queue.ErrTooLarge)
	}
	w.none("after refused batches")
	full := make([]queue.Message, queue.MaxBatch)
	for i, body := range numbered(queue.MaxBatch) {
		full[i].Body = body
	}
	errs, err := w.Queue.Send(w.ctx(), w.Name, full)
	if err != nil || len(errs) != queue.MaxBatch || errors.Join(errs...) != nil {
		w.Fatalf("send answered %v, %v", errs, err)
	}
}

func refusedAlone(w *world) {
	batch := []queue.Message{{Body: "a"}, {Body: large(queue.MaxBody + 1)}, {Body: "b"}}
	errs, err := w.Queue.Send(w.ctx(), w.Name, batch)
	if err != nil || len(errs) != 3 || errs[0] != nil || errs[2] != nil {
		w.Fatalf("send answered %v, %v", errs, err)
	}
	w.wants(errs[1], queue.ErrTooLarge)
	got := map[string]bool{}
	for range 2 {
		got[w.one().Body] = true
	}
	if !got["a"] || !got["b"] {
		w.Fatalf("received %v", got)
	}
	w.none("beside the two that were taken")
}

func receiveLimit(w *world) {
	w.send(numbered(12)...)
	for _, n := range []int{0, queue.MaxBatch + 1} {
		_, err := w.Queue.Receive(w.ctx(), w.Name, n, 0)
		w.wants(err, queue.ErrTooLarge)
	}
	if got := w.receive(3); len(got) > 3 || len(got) == 0 {
		w.Fatalf("received %d messages, want 1 to 3", len(got))
	}
}
