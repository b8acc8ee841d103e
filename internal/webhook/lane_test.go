package webhook

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store/keys"
)

// door holds calls of an address until it is opened.
type door struct {
	inside chan struct{} // one value a call that waits
	open   chan struct{}
}

func (w *world) door(url string) *door {
	d := &door{inside: make(chan struct{}, 1000), open: make(chan struct{})}
	w.net.on(url, func() (int, string) {
		d.inside <- struct{}{}
		<-d.open
		return 200, ""
	})
	return d
}

// held delivers to a webhook behind a door, beside the test, and waits until its calls
// are under way. The answer tells of the end.
func (w *world) held(d *door, webhookID string) <-chan error {
	w.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- w.worker.deliver(w.t.Context(), scope, webhookID) }()
	<-d.inside
	return ended
}

func TestT20ATargetThatHangsHoldsUpNoOther(t *testing.T) {
	w := newWorld(t)
	slow, quick := w.hook("slow", MemoryAppended), w.hook("quick", MemoryAppended)
	door := w.door("slow")
	w.happens(w.item(ledger.Create))
	if err := w.worker.look(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	ended := w.held(door, slow.ID)
	w.settle()
	if d := w.one(quick.ID); d.State != Succeeded {
		t.Errorf("the other: %+v", d)
	}
	w.happens(w.item(ledger.Create))
	w.settle() // its message finds the lane taken
	if n := len(w.net.to("slow")); n != 1 || len(w.net.to("quick")) != 2 {
		t.Errorf("%d calls of the slow one, %d of the other", n, len(w.net.to("quick")))
	}
	close(door.open)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	w.drain()
	for _, d := range w.deliveries(slow.ID) {
		if d.State != Succeeded || d.Attempts != 1 {
			t.Errorf("what came while the lane was taken: %+v", d)
		}
	}
	w.sound(slow.ID, quick.ID)
}

func TestAWorkspaceHoldsFewLanesAtATime(t *testing.T) {
	w := newWorld(t)
	var made []Made
	for i := range lanes + 1 {
		made = append(made, w.hook(fmt.Sprint("slow", i), MemoryAppended))
	}
	w.happens(w.item(ledger.Create))
	if err := w.worker.look(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	var doors []*door
	var ends []<-chan error
	for i := range lanes {
		doors = append(doors, w.door(made[i].URL))
		ends = append(ends, w.held(doors[i], made[i].ID))
	}
	last := made[lanes]
	if err := w.worker.deliver(t.Context(), scope, last.ID); err != nil || len(w.net.to(last.URL)) != 0 {
		t.Errorf("a lane too many: %v, %d calls", err, len(w.net.to(last.URL)))
	}
	for i := range lanes {
		close(doors[i].open)
		if err := <-ends[i]; err != nil {
			t.Error(err)
		}
	}
	w.clock.Advance(laneFull)
	w.drain() // the message that waited
	if d := w.one(last.ID); d.State != Succeeded {
		t.Errorf("%+v", d)
	}
}

func TestALaneWhoseTargetFailsRests(t *testing.T) {
	w := newWorld(t)
	made := w.hook("down", MemoryAppended)
	w.net.always("down", 500)
	for range 2*abreast + 1 {
		w.happens(w.item(ledger.Create))
	}
	w.wake(scope)
	w.drain()
	if n := len(w.net.to("down")); n != abreast {
		t.Errorf("%d tries at once", n)
	}
	for want := 2; want <= 3; want++ {
		w.clock.Advance(afterFail)
		w.drain()
		if n := len(w.net.to("down")); n != min(want*abreast, 2*abreast+1) {
			t.Errorf("%d tries after turn %d", n, want)
		}
	}
	w.sound(made.ID)
}

// Many workers, one workspace: every event is told once, since nobody died.
func TestManyWorkersTellEachEventOnce(t *testing.T) {
	w := newWorld(t)
	hooks := []Made{w.hook("one", MemoryAppended), w.hook("two", MemoryAppended)}
	const events = 200
	var writers, workers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		workers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				got, _ := w.queue.Receive(t.Context(), queue.Events, 1, 0)
				for _, m := range got {
					parsed, err := outbox.ParseMessage(m.Body)
					if err == nil {
						err = w.worker.Run(t.Context(), parsed)
					}
					if err != nil {
						t.Error(err)
					}
					if err := w.queue.Delete(t.Context(), queue.Events, m.Handle); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	entries := make([]ledger.Entry, events)
	for i := range entries {
		entries[i] = w.item(ledger.Create)
	}
	for part := range slices.Chunk(entries, events/4) {
		writers.Go(func() {
			for _, e := range part {
				w.happens(e)
				w.wake(scope)
			}
		})
	}
	writers.Wait()
	close(stop)
	workers.Wait()
	for range 3 {
		w.settle()
	}
	for _, hook := range hooks {
		seen := map[string]int{}
		for _, c := range w.net.to(hook.URL) {
			seen[c.body.Data.ID]++
		}
		for _, e := range entries {
			if seen[e.ItemID] != 1 {
				t.Errorf("%s: %s was told %d times", hook.URL, e.ItemID, seen[e.ItemID])
			}
		}
		if n := len(w.deliveries200(hook.ID)); n != events {
			t.Errorf("%d deliveries", n)
		}
		w.sound(hook.ID)
	}
	if n := w.rows(keys.WebhookLanePK(scope)); n != 0 {
		t.Errorf("%d lanes are left", n)
	}
}

// deliveries200 pages through a list while it is not changed.
func (w *world) deliveries200(webhookID string) map[string]bool {
	w.t.Helper()
	out := map[string]bool{}
	for before := ""; ; {
		found, next, err := w.service.Deliveries(w.t.Context(), scope, webhookID, 7, before)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, d := range found {
			out[d.ID] = true
		}
		if before = next; next == "" {
			return out
		}
	}
}

// The list goes by the log, newest first, and repeats and skips nothing while others
// write.
func TestT12DeliveriesAreListedInOrderWhileOthersWrite(t *testing.T) {
	w := newWorld(t)
	made := w.hook("here", MemoryAppended)
	add := func(n int) {
		for range n {
			w.happens(w.item(ledger.Create))
			w.clock.Advance(time.Millisecond)
		}
		w.settle()
	}
	add(10)
	var got []int64
	before := ""
	for {
		found, next, err := w.service.Deliveries(t.Context(), scope, made.ID, 3, before)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found {
			got = append(got, d.Sequence)
		}
		if next == "" {
			break
		}
		before = next
		add(2)
	}
	if want := []int64{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
