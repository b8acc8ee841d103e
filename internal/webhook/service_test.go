package webhook

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestT44AWebhooksLife(t *testing.T) {
	w := newWorld(t)
	w.service.Random = bytes.NewReader(bytes.Repeat([]byte{0xfb}, 64))
	made := w.hook("https://here", MemoryAppended, FactDeleted)
	if made.Secret != "whsec_-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s" || made.URL != "https://here" || len(made.Events) != 2 || !made.CreatedAt.Equal(start) {
		t.Errorf("%+v", made)
	}
	listed, next, err := w.service.List(t.Context(), scope, 10, "")
	if err != nil || next != "" || len(listed) != 1 || listed[0].ID != made.ID {
		t.Fatalf("%+v, %q, %v", listed, next, err)
	}
	if elsewhere, _, err := w.service.List(t.Context(), other, 10, ""); err != nil || len(elsewhere) != 0 {
		t.Errorf("in another workspace: %+v, %v", elsewhere, err)
	}
	for _, id := range []string{"", "none", w.worker.IDs.New()} {
		_, _, err := w.service.Deliveries(t.Context(), scope, id, 10, "")
		wantCode(t, err, "NOT_FOUND")
		_, err = w.service.Delete(t.Context(), by(scope), id, nil)
		wantCode(t, err, "NOT_FOUND")
		_, err = w.service.Redeliver(t.Context(), by(scope), made.ID, id)
		wantCode(t, err, "NOT_FOUND")
	}
	_, err = w.service.Delete(t.Context(), by(other), made.ID, nil)
	wantCode(t, err, "NOT_FOUND")
	_, err = w.service.Delete(t.Context(), by(scope), made.ID, func(v int64) bool { return v == 2 })
	wantCode(t, err, "VERSION_MISMATCH")
	if _, err := w.service.Delete(t.Context(), by(scope), made.ID, func(v int64) bool { return v == 1 }); err != nil {
		t.Fatal(err)
	}
	if listed, _, _ := w.service.List(t.Context(), scope, 10, ""); len(listed) != 0 {
		t.Errorf("deleted and listed: %+v", listed)
	}
	_, err = w.service.Delete(t.Context(), by(scope), made.ID, nil)
	wantCode(t, err, "NOT_FOUND")
	_, err = w.service.Redeliver(t.Context(), by(scope), made.ID, w.worker.IDs.New())
	wantCode(t, err, "NOT_FOUND")
}

func TestT15AReplayShowsNoSecretAlsoOfWhatIsDeleted(t *testing.T) {
	w := newWorld(t)
	once := by(scope)
	once.Key = &idem.Key{Hash: "k", Request: "r"}
	first, err := w.service.Create(t.Context(), once, New{URL: "here", Events: []Event{MemoryAppended}})
	if err != nil {
		t.Fatal(err)
	}
	w.service.Check = func(context.Context, string) string { return "must be something else by now" }
	for _, deleted := range []bool{false, true} {
		if deleted {
			if _, err := w.service.Delete(t.Context(), by(scope), first.ID, nil); err != nil {
				t.Fatal(err)
			}
			w.settle()
		}
		again, err := w.service.Create(t.Context(), once, New{URL: "here", Events: []Event{MemoryAppended}})
		if err != nil || !again.Replayed || again.Secret != "" || again.ID != first.ID || again.URL != "here" || !again.CreatedAt.Equal(first.CreatedAt) {
			t.Errorf("deleted %v: %+v, %v", deleted, again, err)
		}
	}
}

func TestBadAddressesAndTooManyWebhooksAreRefused(t *testing.T) {
	w := newWorld(t)
	_, err := w.service.Create(t.Context(), by(scope), New{URL: "bad", Events: []Event{MemoryAppended}})
	if e := errs.As(err); e == nil || e.Kind != errs.Invalid || len(e.Fields) != 1 || e.Fields[0] != (errs.Field{Pointer: "/url", Rule: "must be good"}) {
		t.Errorf("%v", err)
	}
	var last Made
	for range Most {
		last = w.hook("here", Events()...)
	}
	_, err = w.service.Create(t.Context(), by(scope), New{URL: "here", Events: []Event{MemoryAppended}})
	wantCode(t, err, "TOO_MANY_WEBHOOKS")
	w.happens(w.item(ledger.Create), w.item(ledger.Create)) // each makes as many deliveries as a commit takes
	w.settle()
	if n := len(w.net.to("here")); n != 2*Most {
		t.Errorf("%d calls", n)
	}
	if _, err := w.service.Delete(t.Context(), by(scope), last.ID, nil); err != nil {
		t.Fatal(err)
	}
	w.hook("here", MemoryAppended)
}

// A webhook that is deleted while its deliveries are made, or tried, leaves nothing.
func TestADeletionBesideTheWorkerLeavesNothing(t *testing.T) {
	for name, delete := range map[string]func(w *world, end func()){
		"while a try is under way": func(w *world, end func()) {
			w.net.on("here", func() (int, string) { end(); return 500, "HTTP_500" })
			w.happens(w.item(ledger.Create))
			w.settle()
		},
		"before anything was made": func(w *world, end func()) {
			w.happens(w.item(ledger.Create))
			end()
			w.settle()
		},
		"between reading and making": func(w *world, end func()) {
			w.happens(w.item(ledger.Create))
			w.worker.Store = &hookedStore{Store: w.store, before: end}
			w.settle()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			made, stays := w.hook("here", MemoryAppended), w.hook("stays", MemoryAppended)
			var ended atomic.Bool
			delete(w, func() {
				if ended.Swap(true) {
					return
				}
				if _, err := w.service.Delete(t.Context(), by(scope), made.ID, nil); err != nil {
					t.Error(err)
				}
			})
			w.settle()
			for _, pk := range []string{keys.DeliveryPK(scope, made.ID), keys.DeliveryDuePK(scope, made.ID), keys.WebhookLanePK(scope)} {
				if n := w.rows(pk); n != 0 {
					t.Errorf("%d rows in %s", n, pk)
				}
			}
			if d := w.one(stays.ID); d.State != Succeeded {
				t.Errorf("the other one: %+v", d)
			}
		})
	}
}

// hookedStore calls before every commit.
type hookedStore struct {
	store.Store
	before func()
}

func (h *hookedStore) Commit(ctx context.Context, tx store.Tx) error {
	h.before()
	return h.Store.Commit(ctx, tx)
}

func TestT29LogLinesHoldNeitherAddressesNorSecrets(t *testing.T) {
	w := newWorld(t)
	made := w.hook("https://secret-place.example/token", MemoryAppended)
	w.net.always(made.URL, 500)
	w.happens(w.item(ledger.Create))
	w.settle()
	if text := w.log.String(); !strings.Contains(text, made.ID) || strings.Contains(text, "secret-place") || strings.Contains(text, made.Secret) {
		t.Errorf("log: %s", text)
	}
}

func TestT59AnEffectIsThatOfTheDeliveryThatIsWorstOff(t *testing.T) {
	w := newWorld(t)
	effect := func(id string) Effect {
		t.Helper()
		op, found, err := ledger.ReadOperation(t.Context(), w.store, scope, id)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		e, err := EffectOf(t.Context(), w.store, scope, op)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	early := w.happens(w.item(ledger.Create))
	good, down := w.hook("good", MemoryAppended), w.hook("down", MemoryAppended, MemoryDeleted)
	w.net.always("down", 500)
	told, quiet := w.happens(w.item(ledger.Create)), w.happens(w.item(ledger.Update))
	empty := w.happens()
	done := Effect{State: Succeeded}
	if e := effect(told); e != (Effect{State: Pending}) {
		t.Errorf("not looked at yet: %+v", e)
	}
	w.settle()
	for id, want := range map[string]Effect{early: done, quiet: done, told: {State: Failed, Attempt: 1, LastError: "HTTP_500"}} {
		if e := effect(id); e != want {
			t.Errorf("%+v, want %+v", e, want)
		}
	}
	if empty != "" {
		if _, found, _ := ledger.ReadOperation(t.Context(), w.store, scope, empty); found && effect(empty) != done {
			t.Error("an operation without rows")
		}
	}
	for range 7 {
		w.clock.Advance(delays[len(delays)-1])
		w.settle()
	}
	if e := effect(told); e != (Effect{State: Dead, Attempt: 7, LastError: "HTTP_500"}) {
		t.Errorf("in the end %+v", e)
	}
	if _, err := w.service.Delete(t.Context(), by(scope), down.ID, nil); err != nil {
		t.Fatal(err)
	}
	if e := effect(told); e != (Effect{State: Succeeded, Attempt: 1}) {
		t.Errorf("the other one's: %+v", e)
	}
	if _, err := w.service.Delete(t.Context(), by(scope), good.ID, nil); err != nil {
		t.Fatal(err)
	}
	if e := effect(told); e != done {
		t.Errorf("with nobody left to tell: %+v", e)
	}
}

// The cursor is not moved for every row that nobody wants, and no such row is read
// for ever.
func TestRowsThatNobodyWantsMoveTheCursorNowAndThen(t *testing.T) {
	w := newWorld(t)
	made := w.hook("here", FactDeleted)
	for range lazyCursor - 2 { // the row of the webhook is one too
		w.happens(w.item(ledger.Create))
	}
	w.settle()
	at := func() int64 {
		n, err := cursor(t.Context(), w.store, scope)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := at(); n != 0 {
		t.Errorf("cursor at %d", n)
	}
	w.happens(w.item(ledger.Create))
	w.settle()
	if n := at(); n != lazyCursor {
		t.Errorf("cursor at %d", n)
	}
	w.happens(ledger.Entry{Op: ledger.Delete, Family: "fact", ItemID: newFact()})
	w.settle()
	if d := w.one(made.ID); d.State != Succeeded || at() != d.Sequence {
		t.Errorf("%+v with the cursor at %d", d, at())
	}
}

func TestAStoreThatIsAwayShowsAsSuch(t *testing.T) {
	w := newWorld(t)
	w.service.Store = away{w.store}
	_, _, err := w.service.List(t.Context(), scope, 1, "")
	wantCode(t, err, "UNAVAILABLE")
}

type away struct{ store.Store }

func (away) Query(context.Context, store.Query) (store.Page, error) {
	return store.Page{}, errors.New("away")
}
