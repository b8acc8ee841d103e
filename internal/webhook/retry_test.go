package webhook

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestT49FailuresAreTriedAgainWithGrowingDelaysThenDead(t *testing.T) {
	w := newWorld(t)
	made := w.hook("down", MemoryAppended)
	w.net.always("down", 503)
	w.happens(w.item(ledger.Create))
	w.settle()
	waits := []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}
	for i, wait := range waits {
		d := w.one(made.ID)
		if d.State != Failed || d.Attempts != i+1 || d.LastStatus != 503 || d.LastError != "HTTP_503" || !d.Next.Equal(w.clock.Now().Add(wait)) {
			t.Fatalf("after try %d: %+v", i+1, d)
		}
		w.sound(made.ID)
		w.clock.Advance(wait - time.Millisecond)
		w.settle()
		if n := len(w.net.to("down")); n != i+1 {
			t.Fatalf("%d tries before the time of try %d", n, i+2)
		}
		w.clock.Advance(time.Millisecond)
		if i < 4 {
			w.drain() // the message that waited for it
		} else {
			w.settle() // a message cannot wait so long: a sweep
		}
		if n := len(w.net.to("down")); n != i+2 {
			t.Fatalf("%d tries at the time of try %d", n, i+2)
		}
	}
	d := w.one(made.ID)
	if d.State != Dead || d.Attempts != 7 || d.open() {
		t.Fatalf("in the end %+v", d)
	}
	w.clock.Advance(24 * time.Hour)
	w.settle()
	if n := len(w.net.to("down")); n != 7 {
		t.Errorf("%d tries of what is dead", n)
	}
	w.redelivered(made.ID, d.ID)
}

// redelivered asks for a dead delivery again: it has all its tries, under its id.
func (w *world) redelivered(webhookID, id string) {
	w.t.Helper()
	w.net.always("down", 302)
	out, err := w.service.Redeliver(w.t.Context(), by(scope), webhookID, id)
	if err != nil || out.State != Pending || out.Attempts != 7 {
		w.t.Fatalf("%+v, %v", out, err)
	}
	w.settle()
	if d := w.one(webhookID); d.State != Failed || d.Attempts != 8 || d.LastStatus != 302 || !d.Next.Equal(w.clock.Now().Add(5*time.Second)) {
		w.t.Errorf("asked for again and failed: %+v", d)
	}
	w.net.always("down", 200)
	w.clock.Advance(5 * time.Second)
	w.drain()
	if d := w.one(webhookID); d.State != Succeeded || d.Attempts != 9 || d.LastStatus != 200 || d.LastError != "" || d.open() {
		w.t.Errorf("in the end %+v", d)
	}
	var seen []string
	for _, c := range w.net.to("down") {
		seen = append(seen, c.header.Get(HeaderID)+string(c.raw))
	}
	if slices.Sort(seen); len(seen) != 9 || seen[0] != seen[8] || !strings.HasPrefix(seen[0], id) {
		w.t.Errorf("ids and bodies over the tries: %q", seen)
	}
	w.sound(webhookID)
}

// A worker that dies in a try loses the try, not the delivery.
func TestT20ATryWhoseWorkerDiedIsMadeAgainAfterItsLease(t *testing.T) {
	w := newWorld(t)
	made := w.hook("here", MemoryAppended)
	w.happens(w.item(ledger.Create))
	if err := w.worker.look(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	for try := 1; try <= 7; try++ {
		l := &lane{Worker: w.worker, scope: scope, hook: made.Webhook, token: w.worker.IDs.New()}
		if free, err := l.free(t.Context()); err != nil || free != laneFree {
			t.Fatalf("try %d: %v, %v", try, free, err)
		}
		due, err := w.worker.dueNow(t.Context(), scope, made.ID, abreast)
		if err != nil {
			t.Fatal(err)
		}
		if claimed, err := l.claim(t.Context(), due); err != nil || len(claimed) != 1 || claimed[0].Attempts != try {
			t.Fatalf("try %d: %+v, %v", try, claimed, err)
		}
		w.settle() // another worker: the lane is taken and nothing is due
		if n := len(w.net.calls); n != 0 || w.one(made.ID).State != Pending {
			t.Fatalf("%d calls beside a lease", n)
		}
		w.clock.Advance(lease)
	}
	w.settle()
	if d := w.one(made.ID); d.State != Dead || d.Attempts != 7 || d.LastError != "LEASE_EXPIRED" || d.LastStatus != 0 {
		t.Errorf("%+v", d)
	}
	w.sound(made.ID)
}

func TestRedeliveryDuringATryIsANewTry(t *testing.T) {
	w := newWorld(t)
	made := w.hook("slow", MemoryAppended)
	var asked atomic.Bool
	w.net.on("slow", func() (int, string) {
		if !asked.Swap(true) {
			if _, err := w.service.Redeliver(t.Context(), by(scope), made.ID, w.one(made.ID).ID); err != nil {
				t.Error(err)
			}
		}
		return 200, ""
	})
	w.happens(w.item(ledger.Create))
	w.settle()
	if d := w.one(made.ID); d.State != Succeeded || d.Attempts != 2 || len(w.net.to("slow")) != 2 {
		t.Errorf("%+v after %d calls", d, len(w.net.to("slow")))
	}
	w.sound(made.ID)
}

func TestDeliveriesExpireAfterThirtyDays(t *testing.T) {
	w := newWorld(t)
	made := w.hook("here", MemoryAppended)
	w.happens(w.item(ledger.Create))
	w.settle()
	old := w.one(made.ID)
	w.clock.Advance(Kept - time.Second)
	if w.one(made.ID).ID != old.ID {
		t.Error("gone too soon")
	}
	w.clock.Advance(time.Second)
	if left := w.deliveries(made.ID); len(left) != 0 {
		t.Errorf("%+v", left)
	}
	_, err := w.service.Redeliver(t.Context(), by(scope), made.ID, old.ID)
	wantCode(t, err, "NOT_FOUND")
	w.happens(w.item(ledger.Create))
	w.settle()
	if n := w.rows(keys.DeliveryPK(scope, made.ID)); n != 1 {
		t.Errorf("%d rows are kept", n)
	}
	stray := store.Item{Key: keys.DeliveryDue(scope, made.ID, start, old.ID), Attrs: store.Attrs{}}
	if err := w.store.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("stray", stray, nil)}}); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.sound(made.ID)
}
