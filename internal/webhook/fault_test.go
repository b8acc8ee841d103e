package webhook

import (
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
)

// recover makes what failed good, as time does: messages come back, leases end, the
// sweep wakes.
func (w *world) recover() {
	w.t.Helper()
	for range 3 {
		w.clock.Advance(10 * time.Minute)
		w.settle()
	}
}

// attempt drains like a worker that meets faults: a message that fails comes back.
func (w *world) attempt() {
	w.t.Helper()
	_, _ = w.queue.Send(w.t.Context(), queue.Events, []queue.Message{{Body: outbox.NewMessage(scope, "").Encode()}}) // into memory
	for {
		got, err := w.queue.Receive(w.t.Context(), queue.Events, 10, 0)
		if err != nil || len(got) == 0 {
			return
		}
		for _, m := range got {
			if w.handle(m.Body) != nil {
				continue
			}
			if err := w.queue.Delete(w.t.Context(), queue.Events, m.Handle); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// TestT20AFaultAtEveryStoreCallLosesNoEventAndMakesNoSecondDelivery: at least one call
// an event and webhook, and exactly one delivery.
func TestT20AFaultAtEveryStoreCallLosesNoEventAndMakesNoSecondDelivery(t *testing.T) {
	var raw store.Store
	var hooks []Made
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		raw = memstore.New()
		w := worldOver(t, raw)
		hooks = []Made{w.hook("one", MemoryAppended), w.hook("two", MemoryAppended, MemoryDeleted)}
		w.happens(w.item(ledger.Create), w.item(ledger.Delete))
		w.happens(w.item(ledger.Create))
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		w := worldOver(t, s)
		var failed atomic.Bool
		w.net.on("two", func() (int, string) { // a retry is under way too
			if !failed.Swap(true) {
				return 500, "HTTP_500"
			}
			return 200, ""
		})
		w.attempt()
		s.Disarm()
		w.recover()
		for i, want := range []int{2, 3} {
			found := w.deliveries(hooks[i].ID)
			called := map[string]bool{}
			for _, c := range w.net.to(hooks[i].URL) {
				called[c.body.ID] = true
			}
			if len(found) != want || len(called) != want {
				t.Fatalf("webhook %d: %d deliveries, %d told", i, len(found), len(called))
			}
			for _, d := range found {
				if d.State != Succeeded || !called[d.ID] {
					t.Errorf("webhook %d: %+v", i, d)
				}
			}
		}
		w.sound(hooks[0].ID, hooks[1].ID)
		if n := w.rows(keys.WebhookLanePK(scope)); n != 0 {
			// A lane whose worker could not give it back ends by the clock and is taken over.
			w.clock.Advance(lease)
			w.happens(w.item(ledger.Create))
			w.settle()
			if n := w.rows(keys.WebhookLanePK(scope)); n != 0 {
				t.Errorf("%d lanes are left", n)
			}
		}
	})
}

// TestAFaultAtEveryStoreCallOfAnEndIsMadeGood: nothing is left of a deleted webhook but
// the record for replays.
func TestAFaultAtEveryStoreCallOfAnEndIsMadeGood(t *testing.T) {
	var raw store.Store
	var made Made
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		raw = memstore.New()
		w := worldOver(t, raw)
		made = w.hook("down", MemoryAppended)
		w.net.always("down", 500)
		w.happens(w.item(ledger.Create), w.item(ledger.Create), w.item(ledger.Create))
		w.settle()
		if _, err := w.service.Delete(t.Context(), by(scope), made.ID, nil); err != nil {
			t.Fatal(err)
		}
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		w := worldOver(t, s)
		w.attempt()
		s.Disarm()
		w.recover()
		for _, pk := range []string{keys.DeliveryPK(scope, made.ID), keys.DeliveryDuePK(scope, made.ID), keys.WebhookLanePK(scope)} {
			if n := w.rows(pk); n != 0 {
				t.Errorf("%d rows are left in %s", n, pk)
			}
		}
		if has, err := Has(t.Context(), raw, scope); has || err != nil {
			t.Errorf("the workspace is looked after still: %v", err)
		}
		if item, found, err := raw.Get(t.Context(), keys.Webhook(scope, made.ID)); err != nil || !found || item.Attrs.Text(attrSecret) != "" || item.Expires.IsZero() {
			t.Errorf("the record: %+v, %v, %v", item, found, err)
		}
	})
}
