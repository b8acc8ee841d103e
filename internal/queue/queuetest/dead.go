package queuetest

import (
	"slices"

	"holdfast/internal/queue"
)

func deadStays(w *world) {
	w.send("a", "b")
	w.kill()
	for range 2 {
		got := w.deadBodies(10)
		slices.Sort(got)
		if !slices.Equal(got, []string{"a", "b"}) {
			w.Fatalf("dead: %v", got)
		}
	}
	if got := w.deadBodies(1); len(got) != 1 {
		w.Fatalf("dead with limit 1: %v", got)
	}
}

func redrives(w *world) {
	w.send("a")
	w.kill()
	n, err := w.Queue.Redrive(w.ctx(), w.Name, 10)
	if n != 1 || err != nil {
		w.Fatalf("redrive answered %d, %v", n, err)
	}
	if got := w.deadBodies(10); len(got) != 0 {
		w.Fatalf("still dead: %v", got)
	}
	again := w.one()
	if again.Body != "a" || again.Receives != 1 {
		w.Fatalf("came back as %+v", again)
	}
	w.remove(again.Handle)
	if n, err := w.Queue.Redrive(w.ctx(), w.Name, 10); n != 0 || err != nil {
		w.Fatalf("redrive of nothing answered %d, %v", n, err)
	}
}

func redriveLimit(w *world) {
	w.send("a", "b", "c")
	w.kill()
	n, err := w.Queue.Redrive(w.ctx(), w.Name, 2)
	if n != 2 || err != nil {
		w.Fatalf("redrive answered %d, %v", n, err)
	}
	if got := w.deadBodies(10); len(got) != 1 {
		w.Fatalf("dead: %v", got)
	}
}

func depth(w *world) {
	w.depthIs(queue.Depth{})
	w.send("dead")
	w.kill()
	w.send("a", "b", "c")
	w.sendOne(queue.Message{Body: "later", Delay: queue.MaxDelay})
	held := w.one()
	w.depthIs(queue.Depth{Waiting: 3, InFlight: 1, Dead: 1})
	w.remove(held.Handle)
	w.depthIs(queue.Depth{Waiting: 3, Dead: 1})
}

func (w *world) depthIs(want queue.Depth) {
	w.Helper()
	got, err := w.Queue.Depth(w.ctx(), w.Name)
	if err != nil || got != want {
		w.Fatalf("depth %+v, %v; want %+v", got, err, want)
	}
}
