package factapi

import (
	"context"

	"holdfast/internal/fact"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type agentsInput struct {
	Limit  int    `query:"limit" default:"50" minimum:"1" maximum:"200"`
	Before string `query:"before" doc:"The last agent seen"`
}

type agentsBody struct {
	Agents []agentBody `json:"agents"`
	Next   *string     `json:"next" nullable:"true" doc:"For before; null at the end"`
}

type agentBody struct {
	AgentID   string       `json:"agent_id"`
	Facts     int64        `json:"facts"`
	UpdatedAt httpapi.Time `json:"updated_at"`
}

// Agents lists the agents that have facts.
func Agents(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.AgentsList, func(ctx context.Context, c *httpapi.Call, in *agentsInput) (httpapi.Reply[agentsBody], error) {
		list, next, err := service.Agents(ctx, panel(c, ""), in.Limit, in.Before)
		if err != nil {
			return httpapi.Reply[agentsBody]{}, err
		}
		body := agentsBody{Agents: make([]agentBody, len(list)), Next: orNull(next)}
		for i, a := range list {
			body.Agents[i] = agentBody{AgentID: a.ID, Facts: a.Facts, UpdatedAt: httpapi.At(a.UpdatedAt)}
		}
		return httpapi.OK(body), nil
	})
}

type agentFactsInput struct {
	Agent string `path:"agent"`
	filterInput
}

// AgentFacts lists an agent's facts, of all users' folders.
func AgentFacts(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.AgentsFactsList, func(ctx context.Context, c *httpapi.Call, in *agentFactsInput) (httpapi.Reply[listBody], error) {
		return in.list(ctx, service, panel(c, in.Agent))
	})
}

type agentFactInput struct {
	Agent string `path:"agent"`
	ID    string `path:"id"`
}

// AgentFactVersions lists a fact's versions.
func AgentFactVersions(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.AgentsFactsVersions, func(ctx context.Context, c *httpapi.Call, in *agentFactInput) (httpapi.Reply[versionsBody], error) {
		return versions(ctx, service, panel(c, in.Agent), in.ID)
	})
}

type editInput struct {
	Agent string `path:"agent"`
	ID    string `path:"id"`
	Body  editBody
}

type editBody struct {
	Text        *string         `json:"text,omitempty" required:"false"`
	Tags        given[[]string] `json:"tags,omitzero" required:"false" doc:"Null clears them"`
	Confidence  given[float64]  `json:"confidence,omitzero" required:"false" doc:"Null clears it"`
	Quarantined *bool           `json:"quarantined,omitempty" required:"false" doc:"false clears what screening caught"`
}

// EditFact makes a version that a person wrote.
func EditFact(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.AgentsFactsEdit, func(ctx context.Context, c *httpapi.Call, in *editInput) (httpapi.Reply[factBody], error) {
		edited, err := service.Edit(ctx, panel(c, in.Agent), in.ID, fact.Patch{Text: in.Body.Text,
			Tags: in.Body.Tags.Optional, Confidence: in.Body.Confidence.Optional, Quarantined: in.Body.Quarantined})
		if err != nil {
			return httpapi.Reply[factBody]{}, err
		}
		return httpapi.OK(factOf(edited.Fact)).ETag(edited.Version).Wrote(edited.Outcome), nil
	})
}

// DeleteFact removes a fact with its whole history.
func DeleteFact(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.AgentsFactsDelete, func(ctx context.Context, c *httpapi.Call, in *agentFactInput) (httpapi.Reply[struct{}], error) {
		out, err := service.Delete(ctx, panel(c, in.Agent), in.ID)
		if err != nil {
			return httpapi.Reply[struct{}]{}, err
		}
		return httpapi.Reply[struct{}]{NoBody: true}.Wrote(out), nil
	})
}

type eraseUserInput struct {
	Agent string `path:"agent"`
	User  string `path:"user"`
}

// EraseUser erases an end user's folder.
func EraseUser(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.AgentsUsersErase, func(ctx context.Context, c *httpapi.Call, in *eraseUserInput) (httpapi.Reply[struct{}], error) {
		out, err := service.EraseUser(ctx, panel(c, in.Agent), in.User)
		if err != nil {
			return httpapi.Reply[struct{}]{}, err
		}
		return httpapi.Reply[struct{}]{NoBody: true}.Wrote(out), nil
	})
}
