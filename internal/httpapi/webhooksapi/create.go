package webhooksapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
	"holdfast/internal/webhook"
)

type createInput struct{ Body New }

// New says what a webhook is to be.
type New struct {
	URL    string  `json:"url" minLength:"1" maxLength:"2048" doc:"https, and of the Internet"`
	Events []Event `json:"events" minItems:"1" uniqueItems:"true"`
}

// Made is a new webhook with its secret.
type Made struct {
	Webhook
	Secret *string `json:"secret" nullable:"true" doc:"The key of the signatures, as its UTF-8. Shown once; null in a replay"`
}

// Create makes a webhook.
func Create(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.WebhooksCreate, func(ctx context.Context, c *httpapi.Call, in *createInput) (httpapi.Reply[Made], error) {
		asked := webhook.New{URL: in.Body.URL, Events: make([]webhook.Event, len(in.Body.Events))}
		for i, e := range in.Body.Events {
			asked.Events[i] = webhook.Event(e)
		}
		made, err := service.Create(ctx, caller(c), asked)
		if err != nil {
			return httpapi.Reply[Made]{}, err
		}
		return httpapi.OK(Made{Webhook: webhookOf(made.Webhook), Secret: orNull(made.Secret)}).Wrote(made.Outcome), nil
	})
}
