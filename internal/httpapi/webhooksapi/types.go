// Package webhooksapi holds the endpoints of webhooks: make, list and delete them,
// list their deliveries and ask for one again (T.44).
package webhooksapi

import (
	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/httpapi"
	"holdfast/internal/webhook"
)

// Event is the name of an event (T.45).
type Event string

// Schema lists the names.
func (Event) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, name := range webhook.Events() {
		s.Enum = append(s.Enum, string(name))
	}
	return s
}

// Webhook is a webhook without its secret.
type Webhook struct {
	WebhookID string       `json:"webhookId"`
	URL       string       `json:"url"`
	Events    []Event      `json:"events"`
	CreatedAt httpapi.Time `json:"createdAt"`
}

func webhookOf(w webhook.Webhook) Webhook {
	out := Webhook{WebhookID: w.ID, URL: w.URL, Events: make([]Event, len(w.Events)), CreatedAt: httpapi.At(w.CreatedAt)}
	for i, e := range w.Events {
		out.Events[i] = Event(e)
	}
	return out
}

// Delivery is one event on its way to one webhook.
type Delivery struct {
	DeliveryID    string        `json:"deliveryId" doc:"Also the Webhook-Id, which stays the same over retries"`
	Event         Event         `json:"event"`
	Sequence      int64         `json:"sequence" doc:"Of the log row"`
	State         webhook.State `json:"state" enum:"pending,succeeded,failed,dead" doc:"failed: another try comes"`
	Attempts      int           `json:"attempts"`
	LastStatus    *int          `json:"lastStatus" nullable:"true" doc:"null where no answer came"`
	LastError     *string       `json:"lastError" nullable:"true" doc:"A code"`
	NextAttemptAt *httpapi.Time `json:"nextAttemptAt" nullable:"true" doc:"While a try is under way: when it counts as lost"`
}

func deliveryOf(d webhook.Delivery) Delivery {
	out := Delivery{DeliveryID: d.ID, Event: Event(d.Event), Sequence: d.Sequence, State: d.State, Attempts: d.Attempts}
	if d.LastStatus != 0 {
		out.LastStatus = &d.LastStatus
	}
	if d.LastError != "" {
		out.LastError = &d.LastError
	}
	if !d.Next.IsZero() {
		out.NextAttemptAt = httpapi.AtOrNull(&d.Next)
	}
	return out
}

func serviceOf(d httpapi.Deps) *webhook.Service {
	return &webhook.Service{Store: d.Store, Commit: d.Commit, IDs: d.IDs, Clock: d.Clock, Check: d.CheckTarget}
}

func caller(c *httpapi.Call) webhook.Caller {
	return webhook.Caller{Scope: c.Scope, Actor: c.Actor(), Key: c.Key}
}

// pageInput is the input of a list.
type pageInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor"`
}

// orNull makes null of the empty text.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
