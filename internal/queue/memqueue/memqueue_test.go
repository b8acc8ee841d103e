package memqueue

import (
	"context"
	"errors"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/queue"
	"holdfast/internal/queue/queuetest"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestConformance(t *testing.T) {
	queuetest.Run(t, func(*testing.T) queuetest.Subject {
		at := clock.NewFixed(start)
		q := New(at, Options{
			Visibility:  map[queue.Name]time.Duration{queue.Index: time.Minute},
			MaxReceives: map[queue.Name]int{queue.Index: 3},
		})
		return queuetest.Subject{
			Queue: q, Name: queue.Index, Visibility: time.Minute, MaxReceives: 3,
			Pass: func(d time.Duration) { at.Advance(d); q.Wake() },
		}
	}, nil)
}

func send(t *testing.T, q *Queue, bodies ...string) []error {
	t.Helper()
	var batch []queue.Message
	for _, body := range bodies {
		batch = append(batch, queue.Message{Body: body})
	}
	errs, err := q.Send(t.Context(), queue.Index, batch)
	if err != nil {
		t.Fatal(err)
	}
	return errs
}

func TestDefaultsAreThoseOfT20(t *testing.T) {
	at := clock.NewFixed(start)
	q := New(at, Options{})
	send(t, q, "a")
	for try := 1; try <= DefaultMaxReceives; try++ {
		got, err := q.Receive(t.Context(), queue.Index, 1, 0)
		if err != nil || len(got) != 1 || got[0].Receives != try {
			t.Fatalf("try %d: %v, %v", try, got, err)
		}
		at.Advance(DefaultVisibility)
	}
	if d, err := q.Depth(t.Context(), queue.Index); err != nil || d.Dead != 1 {
		t.Fatalf("depth %+v, %v", d, err)
	}
}

func TestMemoryIsBoundedByMessages(t *testing.T) {
	q := New(clock.NewFixed(start), Options{MaxMessages: 2})
	errs := send(t, q, "a", "b", "c")
	if errs[0] != nil || errs[1] != nil || !errors.Is(errs[2], ErrFull) {
		t.Fatalf("send answered %v", errs)
	}
	got, err := q.Receive(t.Context(), queue.Index, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if errs := send(t, q, "d"); !errors.Is(errs[0], ErrFull) {
		t.Fatalf("a message in flight does not count: %v", errs)
	}
	if err := q.Delete(t.Context(), queue.Index, got[0].Handle); err != nil {
		t.Fatal(err)
	}
	if errs := send(t, q, "d"); errs[0] != nil {
		t.Fatalf("no room after a delete: %v", errs)
	}
}

func TestMemoryIsBoundedByBytes(t *testing.T) {
	q := New(clock.NewFixed(start), Options{MaxBytes: 5})
	if errs := send(t, q, "abc", "def", "gh"); errs[0] != nil || !errors.Is(errs[1], ErrFull) || errs[2] != nil {
		t.Fatalf("send answered %v", errs)
	}
}

func TestDeleteAfterTheVisibilityRanOutRemovesTheMessage(t *testing.T) {
	at := clock.NewFixed(start)
	q := New(at, Options{})
	send(t, q, "a", "b")
	got, err := q.Receive(t.Context(), queue.Index, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	at.Advance(DefaultVisibility)
	if d, err := q.Depth(t.Context(), queue.Index); err != nil || d != (queue.Depth{Waiting: 2}) {
		t.Fatalf("depth %+v, %v", d, err)
	}
	if err := q.Delete(t.Context(), queue.Index, got[0].Handle); err != nil {
		t.Fatal(err)
	}
	left, err := q.Receive(t.Context(), queue.Index, 10, 0)
	if err != nil || len(left) != 1 || left[0].Body != "b" {
		t.Fatalf("left: %v, %v", left, err)
	}
	if d, err := q.Depth(t.Context(), queue.Index); err != nil || d != (queue.Depth{InFlight: 1}) {
		t.Fatalf("depth %+v, %v", d, err)
	}
}

func TestManySleepersAreAllServed(t *testing.T) {
	q := New(clock.NewFixed(start), Options{})
	const sleepers = 16
	done := make(chan error, sleepers)
	for range sleepers {
		go func() {
			got, err := q.Receive(t.Context(), queue.Index, 1, time.Minute)
			if err == nil && len(got) != 1 {
				err = errors.New("woken without a message")
			}
			done <- err
		}()
	}
	for range sleepers {
		send(t, q, "a")
	}
	for range sleepers {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

func TestASleeperThatGivesUpPassesTheWakeOn(t *testing.T) {
	q := New(clock.NewFixed(start), Options{})
	gone, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := q.Receive(gone, queue.Index, 1, time.Minute)
		left <- err
	}()
	stays := make(chan []queue.Received, 1)
	go func() {
		got, err := q.Receive(t.Context(), queue.Index, 1, time.Minute)
		if err != nil {
			t.Error(err)
		}
		stays <- got
	}()
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	send(t, q, "a")
	if got := <-stays; len(got) != 1 {
		t.Fatalf("received %v", got)
	}
}

func FuzzHandle(f *testing.F) {
	f.Add(handle(1, 1))
	f.Add("")
	f.Add("..")
	f.Add("zz.-1")
	f.Fuzz(func(t *testing.T, text string) {
		id, receives, ok := parseHandle(text)
		if !ok {
			return
		}
		again, n, ok := parseHandle(handle(id, receives))
		if !ok || again != id || n != receives {
			t.Fatalf("%q reads as %d, %d", text, id, receives)
		}
	})
}

func BenchmarkSendReceiveDelete(b *testing.B) {
	q := New(clock.System{}, Options{})
	batch := []queue.Message{{Body: `{"job":"0197f2a0-0000-7000-8000-000000000000"}`}}
	ctx := b.Context()
	for b.Loop() {
		if errs, err := q.Send(ctx, queue.Index, batch); err != nil || errs[0] != nil {
			b.Fatal(errs, err)
		}
		got, err := q.Receive(ctx, queue.Index, 1, 0)
		if err != nil || len(got) != 1 {
			b.Fatal(got, err)
		}
		if err := q.Delete(ctx, queue.Index, got[0].Handle); err != nil {
			b.Fatal(err)
		}
	}
}
