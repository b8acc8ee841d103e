package webhooksapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type webhookInput struct {
	WebhookID string `path:"webhookId"`
}

// Delete ends a webhook and its deliveries.
func Delete(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.WebhooksDelete, func(ctx context.Context, c *httpapi.Call, in *webhookInput) (httpapi.Reply[struct{}], error) {
		out, err := service.Delete(ctx, caller(c), in.WebhookID, c.AllowsVersion)
		return httpapi.Reply[struct{}]{}.Wrote(out), err
	})
}
