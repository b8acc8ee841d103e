package queuetest

import (
	"context"
	"time"

	"holdfast/internal/queue"
)

const (
	shortWait = 20 * time.Millisecond
	longWait  = 20 * time.Second
)

type answer struct {
	got []queue.Received
	err error
}

// sleep starts a long poll.
func (w *world) sleep(ctx context.Context, wait time.Duration) <-chan answer {
	out := make(chan answer, 1)
	go func() {
		got, err := w.Queue.Receive(ctx, w.Name, queue.MaxBatch, wait)
		out <- answer{got, err}
	}()
	return out
}

func (w *world) woken(out <-chan answer, body string) {
	w.Helper()
	select {
	case a := <-out:
		if a.err != nil || len(a.got) != 1 || a.got[0].Body != body {
			w.Fatalf("long poll answered %+v, %v", a.got, a.err)
		}
	case <-time.After(longWait):
		w.Fatal("long poll sleeps on")
	}
}

func receiveWaits(w *world) {
	out := w.sleep(w.ctx(), longWait)
	w.send("a")
	w.woken(out, "a")
}

func receiveEnds(w *world) {
	select {
	case a := <-w.sleep(w.ctx(), shortWait):
		if a.err != nil || len(a.got) != 0 {
			w.Fatalf("long poll answered %+v, %v", a.got, a.err)
		}
	case <-time.After(longWait):
		w.Fatal("long poll sleeps on")
	}
}

func receiveCancelled(w *world) {
	ctx, cancel := context.WithCancel(w.ctx())
	out := w.sleep(ctx, longWait)
	cancel()
	select {
	case a := <-out:
		w.wants(a.err, context.Canceled)
	case <-time.After(longWait):
		w.Fatal("long poll sleeps on")
	}
}

func receiveVisible(w *world) {
	w.sendOne(queue.Message{Body: "a", Delay: w.Delay})
	out := w.sleep(w.ctx(), longWait)
	w.Pass(w.Delay)
	w.woken(out, "a")
}

func unknownHandle(w *world) {
	w.send("a")
	got := w.one()
	for _, handle := range []string{"", "no-such-handle", got.Handle + "0"} {
		w.wants(w.Queue.Delete(w.ctx(), w.Name, handle), queue.ErrBadReceipt)
	}
	w.Pass(w.Visibility)
	again := w.one()
	w.remove(again.Handle)
	w.wants(w.Queue.Delete(w.ctx(), w.Name, again.Handle), queue.ErrBadReceipt)
}

func outdatedHandle(w *world) {
	w.send("a")
	old := w.one().Handle
	w.Pass(w.Visibility)
	now := w.one().Handle
	w.wants(w.Queue.Delete(w.ctx(), w.Name, old), queue.ErrBadReceipt)
	w.wants(w.Queue.Release(w.ctx(), w.Name, old, 0), queue.ErrBadReceipt)
	w.remove(now)
}

func releaseNow(w *world) {
	w.send("a")
	first := w.one()
	if err := w.Queue.Release(w.ctx(), w.Name, first.Handle, 0); err != nil {
		w.Fatalf("release: %v", err)
	}
	if again := w.one(); again.ID != first.ID || again.Receives != 2 {
		w.Fatalf("came back as %+v", again)
	}
}

func releaseLater(w *world) {
	w.send("a")
	delay := 3 * w.Visibility
	if err := w.Queue.Release(w.ctx(), w.Name, w.one().Handle, delay); err != nil {
		w.Fatalf("release: %v", err)
	}
	w.Pass(delay - w.Visibility)
	w.none("before the delay is over")
	w.Pass(w.Visibility)
	w.one()
}

func releaseUnknown(w *world) {
	w.wants(w.Queue.Release(w.ctx(), w.Name, "no-such-handle", 0), queue.ErrBadReceipt)
}
