package webhooksapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type deliveriesInput struct {
	WebhookID string `path:"webhookId"`
	pageInput
}

// DeliveriesPage is a page of deliveries, newest first.
type DeliveriesPage struct {
	Deliveries []Delivery `json:"deliveries"`
	NextCursor *string    `json:"nextCursor" nullable:"true"`
}

// Deliveries lists a webhook's deliveries.
func Deliveries(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.WebhooksDeliveries, func(ctx context.Context, c *httpapi.Call, in *deliveriesInput) (httpapi.Reply[DeliveriesPage], error) {
		before, err := c.Cursors.Open(c.Route.ID, c.Scope, in.WebhookID, in.Cursor)
		if err != nil {
			return httpapi.Reply[DeliveriesPage]{}, err
		}
		found, next, err := service.Deliveries(ctx, c.Scope, in.WebhookID, in.Limit, before)
		if err != nil {
			return httpapi.Reply[DeliveriesPage]{}, err
		}
		page := DeliveriesPage{Deliveries: make([]Delivery, len(found)), NextCursor: orNull(c.Cursors.Seal(c.Route.ID, c.Scope, in.WebhookID, next))}
		for i, one := range found {
			page.Deliveries[i] = deliveryOf(one)
		}
		return httpapi.OK(page), nil
	})
}
