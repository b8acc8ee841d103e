package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/queue/memqueue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var (
	scope = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000b")
	other = scope.Sibling("0192f0c1-0000-7000-8000-00000000000c")
	start = time.Date(2026, 5, 1, 9, 0, 0, 500_000_000, time.UTC)
)

// world is workspaces with webhooks, their worker and what it calls.
type world struct {
	t       testing.TB
	store   store.Store
	clock   *clock.Fixed
	queue   *memqueue.Queue
	service *Service
	worker  *Worker
	net     *internet
	log     *bytes.Buffer
	n       int
}

func newWorld(t testing.TB) *world { t.Helper(); return worldOver(t, memstore.New()) }

func worldOver(t testing.TB, s store.Store) *world {
	t.Helper()
	w := &world{t: t, store: s, clock: clock.NewFixed(start), net: &internet{answers: map[string]func() (int, string){}}, log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(&lines{to: w.log}, nil))
	source := ids.NewSource(w.clock.Now, nil)
	w.queue = memqueue.New(w.clock, memqueue.Options{
		Visibility:  map[queue.Name]time.Duration{queue.Events: 3 * time.Minute},
		MaxReceives: map[queue.Name]int{queue.Events: 8},
	})
	doer := commit.New(commit.Config{Store: s, Clock: w.clock, IDs: source, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	w.service = &Service{Store: s, Commit: doer, IDs: source, Clock: w.clock,
		Check: func(_ context.Context, address string) string {
			if address == "bad" {
				return "must be good"
			}
			return ""
		}}
	w.worker = &Worker{Store: s, Queue: w.queue, Clock: w.clock, IDs: source, Log: log, Sender: w.net}
	return w
}

// lines is a buffer that many may write to.
type lines struct {
	mu sync.Mutex
	to *bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(p)
}

// sending is a call that reached an address.
type sending struct {
	url    string
	header http.Header
	body   message
	raw    []byte
}

// internet answers calls as each address's function says; without one, 200.
type internet struct {
	mu      sync.Mutex
	answers map[string]func() (int, string)
	calls   []sending
}

func (n *internet) Send(ctx context.Context, url string, header http.Header, body []byte) (int, string) {
	call := sending{url: url, header: header, raw: body}
	if err := json.Unmarshal(body, &call.body); err != nil {
		return 0, "NO_JSON"
	}
	n.mu.Lock()
	n.calls = append(n.calls, call)
	answer := n.answers[url]
	n.mu.Unlock()
	if answer == nil {
		return 200, ""
	}
	return answer()
}

// on makes an address answer as a function says, also while calls are under way.
func (n *internet) on(url string, answer func() (int, string)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers[url] = answer
}

// always makes an address answer with one status.
func (n *internet) always(url string, status int) {
	n.on(url, func() (int, string) {
		return status, map[bool]string{true: "", false: fmt.Sprint("HTTP_", status)}[status == 200]
	})
}

// to lists the calls of an address.
func (n *internet) to(url string) []sending {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []sending
	for _, c := range n.calls {
		if c.url == url {
			out = append(out, c)
		}
	}
	return out
}

func by(s tenant.Scope) Caller {
	return Caller{Scope: s, Actor: ledger.Actor{KeyID: "key", Kind: "person"}}
}

func (w *world) hook(url string, events ...Event) Made {
	w.t.Helper()
	made, err := w.service.Create(w.t.Context(), by(scope), New{URL: url, Events: events})
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// happens commits a write with these log rows and answers its operation.
func (w *world) happens(entries ...ledger.Entry) string {
	w.t.Helper()
	return w.happensIn(scope, entries...)
}

func (w *world) happensIn(s tenant.Scope, entries ...ledger.Entry) string {
	w.t.Helper()
	out, err := w.service.Commit.Do(w.t.Context(), commit.Write{Scope: s, Actor: ledger.Service(),
		Plan: func(context.Context, commit.Operation) (commit.Plan, error) {
			return commit.Plan{Entries: entries}, nil
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.OperationID
}

// item is a new row of the memory family.
func (w *world) item(op ledger.Op) ledger.Entry {
	w.n++
	return ledger.Entry{Op: op, Family: "memory", ItemID: ids.Derived(start, int64(w.n)), Version: 1}
}

// wake sends what the relay or a sweep sends.
func (w *world) wake(s tenant.Scope) {
	w.t.Helper()
	has, err := Has(w.t.Context(), w.store, s)
	if err != nil {
		w.t.Fatal(err)
	}
	if !has {
		return
	}
	if _, err := w.queue.Send(w.t.Context(), queue.Events, []queue.Message{{Body: outbox.NewMessage(s, "").Encode()}}); err != nil {
		w.t.Fatal(err)
	}
}

// drain handles messages until none is visible.
func (w *world) drain() {
	w.t.Helper()
	for {
		got, err := w.queue.Receive(w.t.Context(), queue.Events, 10, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(got) == 0 {
			return
		}
		for _, m := range got {
			if err := w.handle(m.Body); err != nil {
				w.t.Fatal(err)
			}
			if err := w.queue.Delete(w.t.Context(), queue.Events, m.Handle); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

func (w *world) handle(body string) error {
	m, err := outbox.ParseMessage(body)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.worker.Run(w.t.Context(), m)
}

// settle brings the workspace to where nothing is due now.
func (w *world) settle() { w.t.Helper(); w.wake(scope); w.drain() }

func (w *world) deliveries(webhookID string) []Delivery {
	w.t.Helper()
	found, next, err := w.service.Deliveries(w.t.Context(), scope, webhookID, 200, "")
	if err != nil || next != "" {
		w.t.Fatalf("%v, more: %q", err, next)
	}
	return found
}

// one is a webhook's only delivery.
func (w *world) one(webhookID string) Delivery {
	w.t.Helper()
	found := w.deliveries(webhookID)
	if len(found) != 1 {
		w.t.Fatalf("%d deliveries: %+v", len(found), found)
	}
	return found[0]
}

// rows counts a partition.
func (w *world) rows(pk string) int {
	w.t.Helper()
	page, err := w.store.Query(w.t.Context(), store.Query{PK: pk})
	if err != nil || page.Cursor != "" {
		w.t.Fatalf("%v, more: %q", err, page.Cursor)
	}
	return len(page.Items)
}

// sound checks what holds whenever nothing is under way: each open delivery has one
// row that says when it is due, no other row does, and no lane is held.
func (w *world) sound(webhookIDs ...string) {
	w.t.Helper()
	for _, id := range webhookIDs {
		open := 0
		for _, d := range w.deliveries(id) {
			if !d.open() {
				continue
			}
			open++
			if _, found, err := w.store.Get(w.t.Context(), d.dueKey(scope)); err != nil || !found {
				w.t.Errorf("delivery %s is %s and nobody's: %v", d.ID, d.State, err)
			}
		}
		if n := w.rows(keys.DeliveryDuePK(scope, id)); n != open {
			w.t.Errorf("%d rows are due for %d open deliveries", n, open)
		}
	}
}

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if e := errs.As(err); e == nil || e.Code != code {
		t.Errorf("error %v, want %s", err, code)
	}
}

// newFact is the id of a fact.
func newFact() string {
	return ids.NewSource(func() time.Time { return start }, nil).NewFact()
}
