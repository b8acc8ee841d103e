package queuetest

import (
	"slices"
	"sync"

	"holdfast/internal/queue"
)

func deliveredAtLeastOnce(w *world) {
	w.send("a")
	got := w.one()
	if got.Body != "a" || got.ID == "" || got.Handle == "" || got.SentAt.IsZero() {
		w.Fatalf("received %+v", got)
	}
}

func everyMessage(w *world) {
	want := numbered(35)
	w.send(want...)
	var got []string
	for range len(want) {
		for _, m := range w.receive(queue.MaxBatch) {
			got = append(got, m.Body)
			w.remove(m.Handle)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.Fatalf("received %v", got)
	}
}

func invisible(w *world) {
	w.send("a")
	w.one()
	w.none("while it is in flight")
	w.Pass(w.Visibility / 2)
	w.none("before its time is over")
}

func comesBack(w *world) {
	w.send("a")
	first := w.one()
	w.Pass(w.Visibility)
	again := w.one()
	if again.ID != first.ID || again.Body != "a" {
		w.Fatalf("came back as %+v", again)
	}
}

func deletedStaysAway(w *world) {
	w.send("a")
	w.remove(w.one().Handle)
	w.Pass(w.Visibility)
	w.none("after it was deleted")
}

func countGrows(w *world) {
	w.send("a")
	for want := 1; want <= w.MaxReceives; want++ {
		if got := w.one(); got.Receives != want {
			w.Fatalf("delivery %d says %d", want, got.Receives)
		}
		w.Pass(w.Visibility)
	}
}

func dies(w *world) {
	w.send("a")
	for range w.MaxReceives {
		w.one()
		w.Pass(w.Visibility)
	}
	w.none("after its tries")
	if got := w.deadBodies(10); !slices.Equal(got, []string{"a"}) {
		w.Fatalf("dead: %v", got)
	}
}

func deadIsAlone(w *world) {
	w.send("poison", "good")
	for range w.MaxReceives {
		for _, m := range w.receive(queue.MaxBatch) {
			if m.Body == "good" {
				w.remove(m.Handle)
			}
		}
		w.Pass(w.Visibility)
	}
	w.send("next")
	if got := w.one(); got.Body != "next" {
		w.Fatalf("received %q", got.Body)
	}
	if got := w.deadBodies(10); !slices.Equal(got, []string{"poison"}) {
		w.Fatalf("dead: %v", got)
	}
}

func bodyKept(w *world) {
	body := "{\"id\":\"é \\u0000 \t\",\n\"n\":1}"
	w.send(body)
	if got := w.one().Body; got != body {
		w.Fatalf("received %q", got)
	}
}

func queuesApart(w *world) {
	for _, other := range queue.Names() {
		if other == w.Name {
			continue
		}
		w.send("a")
		got, err := w.Queue.Receive(w.ctx(), other, 1, 0)
		if err != nil || len(got) != 0 {
			w.Fatalf("queue %s answered %v, %v", other, got, err)
		}
	}
}

func unknownQueue(w *world) {
	errs, err := w.Queue.Send(w.ctx(), "no-such-queue", []queue.Message{{Body: "a"}})
	if err == nil {
		w.Fatalf("send answered %v", errs)
	}
	if _, err := w.Queue.Receive(w.ctx(), "no-such-queue", 1, 0); err == nil {
		w.Fatal("receive answered")
	}
	if _, err := w.Queue.Depth(w.ctx(), "no-such-queue"); err == nil {
		w.Fatal("depth answered")
	}
}

// concurrent lets producers and consumers meet: each message is handled once, since
// its visibility does not run out.
func concurrent(w *world) {
	const producers, each = 4, 50
	var wait sync.WaitGroup
	for range producers {
		wait.Go(func() {
			for _, body := range numbered(each) {
				if errs, err := w.Queue.Send(w.ctx(), w.Name, []queue.Message{{Body: body}}); err != nil || errs[0] != nil {
					w.Errorf("send: %v, %v", errs, err)
				}
			}
		})
	}
	var mu sync.Mutex
	seen := make(map[string]int)
	for range producers {
		wait.Go(func() { w.drain(&mu, seen, producers*each) })
	}
	wait.Wait()
	for id, n := range seen {
		if n != 1 {
			w.Errorf("message %s was delivered %d times", id, n)
		}
	}
}

// drain takes two messages at a time, so that it has each for a moment only.
func (w *world) drain(mu *sync.Mutex, seen map[string]int, want int) {
	for {
		mu.Lock()
		done := len(seen) == want
		mu.Unlock()
		if done {
			return
		}
		got, err := w.Queue.Receive(w.ctx(), w.Name, 2, shortWait)
		if err != nil {
			w.Errorf("receive: %v", err)
			return
		}
		for _, m := range got {
			mu.Lock()
			seen[m.ID]++
			mu.Unlock()
			if err := w.Queue.Delete(w.ctx(), w.Name, m.Handle); err != nil {
				w.Errorf("delete: %v", err)
			}
		}
	}
}
