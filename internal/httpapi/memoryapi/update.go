package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type updateInput struct {
	ID   string `path:"id"`
	Body updateBody
}

// updateBody is the text that takes the place of an entry's (S0.44).
type updateBody struct {
	Content       string  `json:"content" minLength:"1" doc:"1 to 16,000 characters after trimming; kept as sent"`
	ApplicationID *string `json:"applicationId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	AgentID       *string `json:"agentId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	UserID        *string `json:"userId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
}

// Update replaces an entry's content in place.
func Update(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryUpdate, func(ctx context.Context, c *httpapi.Call, in *updateInput) (httpapi.Reply[entryBody], error) {
		changed, err := service.Update(ctx, target(c), memory.Revision{
			ID: in.ID, Content: in.Body.Content, Allows: c.AllowsVersion,
			Subject: subjectOf(in.Body.ApplicationID, in.Body.AgentID, in.Body.UserID),
		})
		if err != nil {
			return httpapi.Reply[entryBody]{}, err
		}
		return httpapi.OK(entryOf(changed.Memory)).ETag(changed.Version).Wrote(changed.Outcome), nil
	})
}
