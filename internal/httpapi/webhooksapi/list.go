package webhooksapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

// Page is a page of webhooks in the order they were made.
type Page struct {
	Webhooks   []Webhook `json:"webhooks"`
	NextCursor *string   `json:"nextCursor" nullable:"true"`
}

// List lists a workspace's webhooks, without secrets.
func List(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.WebhooksList, func(ctx context.Context, c *httpapi.Call, in *pageInput) (httpapi.Reply[Page], error) {
		after, err := c.Cursors.Open(c.Route.ID, c.Scope, "", in.Cursor)
		if err != nil {
			return httpapi.Reply[Page]{}, err
		}
		found, next, err := service.List(ctx, c.Scope, in.Limit, after)
		if err != nil {
			return httpapi.Reply[Page]{}, err
		}
		page := Page{Webhooks: make([]Webhook, len(found)), NextCursor: orNull(c.Cursors.Seal(c.Route.ID, c.Scope, "", next))}
		for i, w := range found {
			page.Webhooks[i] = webhookOf(w)
		}
		return httpapi.OK(page), nil
	})
}
