package memoryapi

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type shareInput struct {
	ID   string `path:"id"`
	Body shareBody
}

// shareBody says where the copy goes: into another layer of the workspace, or into
// another workspace (R0.80).
type shareBody struct {
	TargetLayer       *string `json:"targetLayer,omitempty" required:"false" nullable:"true" doc:"Workspace or Tenant"`
	TargetWorkspaceID *string `json:"targetWorkspaceId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"64" doc:"A workspace that the key may act in"`
	ApplicationID     *string `json:"applicationId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	AgentID           *string `json:"agentId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	UserID            *string `json:"userId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
}

// Share copies an entry into another layer or workspace.
func Share(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryShare, func(ctx context.Context, c *httpapi.Call, in *shareInput) (httpapi.Reply[entryBody], error) {
		sharing, err := in.sharing(ctx, c)
		if err != nil {
			return httpapi.Reply[entryBody]{}, err
		}
		made, err := service.Share(ctx, target(c), sharing)
		if err != nil {
			return httpapi.Reply[entryBody]{}, err
		}
		return httpapi.OK(entryOf(made.Memory)).ETag(made.Version).Wrote(made.Outcome), nil
	})
}

func (in *shareInput) sharing(ctx context.Context, c *httpapi.Call) (memory.Sharing, error) {
	b := in.Body
	if (b.TargetLayer == nil) == (b.TargetWorkspaceID == nil) {
		return memory.Sharing{}, errs.Validation(errs.Field{Pointer: "", Rule: "must have targetLayer or targetWorkspaceId, and not both"})
	}
	out := memory.Sharing{ID: in.ID, Subject: subjectOf(b.ApplicationID, b.AgentID, b.UserID), TargetLayer: or(b.TargetLayer, "")}
	if b.TargetWorkspaceID == nil {
		return out, nil
	}
	t := target(c)
	var err error
	t.Scope, t.Workspace, err = c.Elsewhere(ctx, *b.TargetWorkspaceID)
	t.Key = nil
	out.Destination = &t
	return out, err
}
