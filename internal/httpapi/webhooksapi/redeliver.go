package webhooksapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type redeliverInput struct {
	WebhookID  string `path:"webhookId"`
	DeliveryID string `path:"deliveryId"`
	Body       struct{}
}

// Redeliver tries a delivery again at once, whatever became of it.
func Redeliver(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.WebhooksRedeliver, func(ctx context.Context, c *httpapi.Call, in *redeliverInput) (httpapi.Reply[Delivery], error) {
		out, err := service.Redeliver(ctx, caller(c), in.WebhookID, in.DeliveryID)
		if err != nil {
			return httpapi.Reply[Delivery]{}, err
		}
		return httpapi.OK(deliveryOf(out.Delivery)).Wrote(out.Outcome), nil
	})
}
