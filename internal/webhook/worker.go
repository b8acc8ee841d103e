package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ids"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Sender posts a body to an address once, within ten seconds. It answers the status, 0
// where none came, and a code that is empty when the delivery succeeded.
type Sender interface {
	Send(ctx context.Context, address string, header http.Header, body []byte) (status int, code string)
}

// Worker is the body of worker-events. A message names a workspace to look after, or
// with a webhook's id in the place of a job's the lane that has something to deliver.
type Worker struct {
	Store  store.Store
	Queue  queue.Sender
	Clock  clock.Clock
	IDs    *ids.Source
	Log    *slog.Logger
	Sender Sender
}

// Run handles a message.
func (w *Worker) Run(ctx context.Context, m outbox.Message) error {
	if m.Job == "" {
		return w.look(ctx, m.Scope())
	}
	return w.deliver(ctx, m.Scope(), m.Job)
}

// look makes the deliveries of what the log has new, wakes the lanes that have
// something due, and ends webhooks that are gone.
func (w *Worker) look(ctx context.Context, scope tenant.Scope) error {
	item, marked, err := w.Store.Get(ctx, keys.WebhookMark(scope))
	if err != nil || !marked {
		return err
	}
	hooks, err := all(ctx, w.Store, scope)
	if err != nil {
		return err
	}
	for i, hook := range hooks {
		if hook.stage == ending {
			if err := w.empty(ctx, scope, hook); err != nil {
				return err
			}
			hooks[i].stage = emptied
		}
	}
	hooks = slices.DeleteFunc(hooks, Webhook.gone)
	if len(hooks) == 0 {
		return w.unmark(ctx, scope, item)
	}
	fresh, err := w.consume(ctx, scope, earliest(hooks))
	if err != nil {
		return err
	}
	return w.wake(ctx, scope, hooks, fresh)
}

// unmark ends the looking after a workspace, unless a webhook was made meanwhile.
func (w *Worker) unmark(ctx context.Context, scope tenant.Scope, item store.Item) error {
	gone := store.DeleteItem("mark", keys.WebhookMark(scope), store.IfEqual(attrHolder, item.Attrs[attrHolder]))
	err := w.Store.Commit(ctx, store.Tx{Actions: []store.Action{gone}})
	if store.Failed(err, "mark") {
		return nil
	}
	return err
}

// wake sends a message to every lane that has something due.
func (w *Worker) wake(ctx context.Context, scope tenant.Scope, hooks []Webhook, fresh map[string]bool) error {
	var out []queue.Message
	for _, hook := range hooks {
		due := fresh[hook.ID]
		if !due {
			items, err := w.dueNow(ctx, scope, hook.ID, 1)
			if err != nil {
				return err
			}
			due = len(items) > 0
		}
		if due {
			out = append(out, w.message(scope, hook.ID, 0))
		}
	}
	return w.send(ctx, out)
}

func (w *Worker) message(scope tenant.Scope, webhookID string, delay time.Duration) queue.Message {
	return queue.Message{Body: outbox.NewMessage(scope, webhookID).Encode(), Delay: delay}
}

func (w *Worker) send(ctx context.Context, messages []queue.Message) error {
	var failures []error
	for some := range slices.Chunk(messages, queue.MaxBatch) {
		each, err := w.Queue.Send(ctx, queue.Events, some)
		failures = append(append(failures, each...), err)
	}
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("webhook: send: %w", err)
	}
	return nil
}

// dueNow lists the rows of a webhook's deliveries that are due, the longest first.
func (w *Worker) dueNow(ctx context.Context, scope tenant.Scope, webhookID string, limit int) ([]store.Item, error) {
	q := store.Query{PK: keys.DeliveryDuePK(scope, webhookID), To: keys.Number(w.Clock.Now().UnixMilli()) + "~", Limit: limit}
	for {
		page, err := w.Store.Query(ctx, q)
		if err != nil || len(page.Items) > 0 || page.Cursor == "" {
			return page.Items, err
		}
		q.Cursor = page.Cursor
	}
}

// emptyBatch keeps the deletes of one commit under its limit.
const emptyBatch = 90

// empty removes all that a deleted webhook has left, and then keeps but its record for
// repeated calls.
func (w *Worker) empty(ctx context.Context, scope tenant.Scope, hook Webhook) error {
	for _, pk := range []string{keys.DeliveryDuePK(scope, hook.ID), keys.DeliveryPK(scope, hook.ID)} {
		for {
			page, err := w.Store.Query(ctx, store.Query{PK: pk, Limit: emptyBatch})
			if err != nil {
				return err
			}
			if err := w.drop(ctx, page.Items); err != nil {
				return err
			}
			if page.Cursor == "" {
				break
			}
		}
	}
	hook.stage, hook.expires = emptied, forgotten(w.Clock.Now())
	item, err := hook.item(scope)
	if err != nil {
		return err
	}
	err = w.Store.Commit(ctx, store.Tx{Actions: []store.Action{
		store.PutItem("webhook", item, still(ending)), store.DeleteItem("lane", keys.WebhookLane(scope, hook.ID), nil)}})
	if store.Failed(err, "webhook") {
		return nil // another worker has done the same
	}
	return err
}

func (w *Worker) drop(ctx context.Context, items []store.Item) error {
	if len(items) == 0 {
		return nil
	}
	actions := make([]store.Action, len(items))
	for i, item := range items {
		actions[i] = store.DeleteItem("old", item.Key, nil)
	}
	return w.Store.Commit(ctx, store.Tx{Actions: actions})
}
