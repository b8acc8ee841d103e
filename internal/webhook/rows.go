package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"holdfast/internal/idem"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

const (
	attrDoc    = "d"
	attrSecret = "s"
	attrStage  = "stage"
	attrRev    = "rev"
	attrSeq    = "seq"
	attrHolder = "by" // of a lane
	attrUntil  = "u"  // of a lane: milliseconds
)

type wireWebhook struct {
	URL       string    `json:"url"`
	Events    []Event   `json:"events"`
	CreatedAt time.Time `json:"createdAt"`
	Since     int64     `json:"since"`
}

// item is a webhook's row. One that is gone keeps no secret.
func (w Webhook) item(scope tenant.Scope) (store.Item, error) {
	doc, err := json.Marshal(wireWebhook{w.URL, w.Events, w.CreatedAt, w.Since})
	if err != nil {
		return store.Item{}, fmt.Errorf("webhook: row: %w", err)
	}
	item := store.Item{Key: keys.Webhook(scope, w.ID), Expires: w.expires,
		Attrs: store.Attrs{attrDoc: store.B(doc), attrStage: store.N(int64(w.stage))}}
	if !w.gone() {
		item.Attrs[attrSecret] = store.S(w.secret)
	}
	return item, nil
}

func webhookOf(item store.Item) (Webhook, error) {
	var w wireWebhook
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &w); err != nil {
		return Webhook{}, fmt.Errorf("webhook: stored row: %w", err)
	}
	return Webhook{ID: item.Key.SK, URL: w.URL, Events: w.Events, CreatedAt: w.CreatedAt, Since: w.Since,
		secret: item.Attrs.Text(attrSecret), stage: stage(item.Attrs.Int(attrStage)), expires: item.Expires}, nil
}

// read answers a webhook, also one that is gone.
func read(ctx context.Context, s store.Store, scope tenant.Scope, id string) (Webhook, bool, error) {
	key := keys.Webhook(scope, id)
	if key.Validate() != nil {
		return Webhook{}, false, nil
	}
	item, found, err := s.Get(ctx, key)
	if err != nil || !found {
		return Webhook{}, false, err
	}
	w, err := webhookOf(item)
	return w, err == nil, err
}

// all lists a workspace's webhooks, those that are gone among them.
func all(ctx context.Context, s store.Store, scope tenant.Scope) ([]Webhook, error) {
	var out []Webhook
	q := store.Query{PK: keys.WebhookPK(scope)}
	for {
		page, err := s.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			w, err := webhookOf(item)
			if err != nil {
				return nil, err
			}
			out = append(out, w)
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

type wireDelivery struct {
	Event      Event     `json:"event"`
	Sequence   int64     `json:"sequence"`
	At         time.Time `json:"at"`
	ItemID     string    `json:"item"`
	Version    int64     `json:"version"`
	Operation  string    `json:"operation"`
	State      State     `json:"state"`
	Attempts   int       `json:"attempts"`
	Earlier    int       `json:"earlier,omitempty"`
	LastStatus int       `json:"lastStatus,omitempty"`
	LastError  string    `json:"lastError,omitempty"`
	Next       time.Time `json:"next,omitzero"`
}

func (d Delivery) item(scope tenant.Scope) (store.Item, error) {
	doc, err := json.Marshal(wireDelivery{d.Event, d.Sequence, d.At, d.ItemID, d.Version, d.Operation,
		d.State, d.Attempts, d.earlier, d.LastStatus, d.LastError, d.Next})
	if err != nil {
		return store.Item{}, fmt.Errorf("webhook: delivery: %w", err)
	}
	return store.Item{Key: keys.Delivery(scope, d.WebhookID, d.ID), Expires: d.expires,
		Attrs: store.Attrs{attrDoc: store.B(doc), attrRev: store.N(d.rev)}}, nil
}

func readDelivery(webhookID string, item store.Item) (Delivery, error) {
	var w wireDelivery
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &w); err != nil {
		return Delivery{}, fmt.Errorf("webhook: stored delivery: %w", err)
	}
	return Delivery{
		ID: item.Key.SK, WebhookID: webhookID, Event: w.Event, Sequence: w.Sequence, At: w.At, ItemID: w.ItemID,
		Version: w.Version, Operation: w.Operation, State: w.State, Attempts: w.Attempts, earlier: w.Earlier,
		LastStatus: w.LastStatus, LastError: w.LastError, Next: w.Next, expires: item.Expires, rev: item.Attrs.Int(attrRev),
	}, nil
}

// make are the actions that begin a delivery.
func (d Delivery) make(scope tenant.Scope) ([]store.Action, error) {
	item, err := d.item(scope)
	return []store.Action{store.PutItem("delivery", item, nil), d.due(scope)}, err
}

func (d Delivery) dueKey(scope tenant.Scope) store.Key {
	return keys.DeliveryDue(scope, d.WebhookID, d.Next, d.ID)
}

func (d Delivery) due(scope tenant.Scope) store.Action {
	return store.PutItem("due", store.Item{Key: d.dueKey(scope), Attrs: store.Attrs{}, Expires: d.expires}, nil)
}

// move are the actions that replace a delivery by what it is next, if it is still as
// it was read. The label is that of the condition.
func (d Delivery) move(scope tenant.Scope, label string, next Delivery) ([]store.Action, error) {
	next.rev = d.rev + 1
	item, err := next.item(scope)
	if err != nil {
		return nil, err
	}
	actions := []store.Action{store.PutItem(label, item, store.IfEqual(attrRev, store.N(d.rev)))}
	if d.Next.Equal(next.Next) {
		return actions, nil
	}
	if d.open() {
		actions = append(actions, store.DeleteItem("due", d.dueKey(scope), nil))
	}
	if next.open() {
		actions = append(actions, next.due(scope))
	}
	return actions, nil
}

// mark is the row that wakes whoever looks after a workspace's webhooks: at once,
// through the table's stream, and with every sweep.
func mark(scope tenant.Scope, by string, now time.Time) store.Action {
	return store.PutItem("mark", store.Item{
		Key:   keys.WebhookMark(scope),
		Attrs: store.Attrs{"kind": store.S(outbox.KindEvents), attrHolder: store.S(by)},
		Due:   &store.Due{Shard: outbox.Shard(scope), At: now},
	}, nil)
}

// forgotten is when the record of a webhook that is gone may go too: a repeated call
// that made it must still be answered (T.15).
func forgotten(now time.Time) time.Time { return now.Add(idem.Kept) }
