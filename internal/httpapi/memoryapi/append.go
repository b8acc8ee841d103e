package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type appendInput struct {
	Body appendBody
}

// appendBody is one memory to store (S0.9 to S0.11, R0.58). Layer and type have
// their own error codes, so the service judges them.
type appendBody struct {
	Layer         string             `json:"layer" doc:"Tenant, Workspace or Session"`
	Type          string             `json:"type" doc:"fact, decision, preference, policy, procedure, file_doc or artifact_ref"`
	Content       string             `json:"content" minLength:"1" doc:"1 to 16,000 characters after trimming; kept as sent"`
	Speaker       *string            `json:"speaker,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"100" doc:"Who said it; user, assistant and tool are roles"`
	Tags          map[string]string  `json:"tags,omitempty" required:"false" nullable:"true" maxProperties:"32"`
	ArtifactURI   *string            `json:"artifactUri,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"2048" doc:"With type artifact_ref: where it is kept"`
	RunID         *string            `json:"runId,omitempty" required:"false" nullable:"true" maxLength:"256" doc:"Required in layer Session"`
	ApplicationID *string            `json:"applicationId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	AgentID       *string            `json:"agentId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	UserID        *string            `json:"userId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	Attribute     *string            `json:"attribute,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256" doc:"A new value of the same attribute and subject supersedes the old one"`
	ValidFrom     *httpapi.Time      `json:"validFrom,omitempty" required:"false" nullable:"true"`
	ValidTo       *httpapi.Time      `json:"validTo,omitempty" required:"false" nullable:"true" doc:"Exclusive; once it has passed, recall hides the memory and no append joins it"`
	Importance    *float64           `json:"importance,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1"`
	NonNegotiable *bool              `json:"nonNegotiable,omitempty" required:"false" nullable:"true" doc:"Policies only: in layer Tenant, never left out of a context"`
	Origin        *string            `json:"origin,omitempty" required:"false" nullable:"true" enum:"person,agent,tool,web" doc:"By default the kind of the key; person only with a person's key"`
	Sources       []appendSourceBody `json:"sources,omitempty" required:"false" nullable:"true" maxItems:"64" doc:"The evidence"`
}

type appendSourceBody struct {
	Kind  memory.SourceKind `json:"kind" enum:"message,memory,episode,url"`
	ID    string            `json:"id" minLength:"1" maxLength:"2048"`
	Start *int              `json:"start,omitempty" required:"false" nullable:"true" minimum:"0"`
	End   *int              `json:"end,omitempty" required:"false" nullable:"true" minimum:"0"`
}

// appendedBody is the answer of an append (S0.12).
type appendedBody struct {
	ID              string `json:"id" doc:"The surviving memory"`
	Merged          bool   `json:"merged"`
	ContentReplaced bool   `json:"contentReplaced"`
	OperationID     string `json:"operationId" doc:"The ingestion receipt"`
}

func (b appendBody) draft() memory.Draft {
	d := memory.Draft{
		Layer: b.Layer, Type: b.Type, Content: b.Content, Speaker: b.Speaker, Tags: b.Tags,
		ArtifactURI: b.ArtifactURI, RunID: b.RunID, ApplicationID: b.ApplicationID, AgentID: b.AgentID,
		UserID: b.UserID, Attribute: b.Attribute, ValidFrom: b.ValidFrom.Or(), ValidTo: b.ValidTo.Or(),
		Importance: b.Importance, NonNegotiable: or(b.NonNegotiable, false), Origin: b.Origin,
	}
	for _, s := range b.Sources {
		d.Sources = append(d.Sources, memory.Source(s))
	}
	return d
}

// Append stores one memory.
func Append(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryAppend, func(ctx context.Context, c *httpapi.Call, in *appendInput) (httpapi.Reply[appendedBody], error) {
		a, err := service.Append(ctx, target(c), in.Body.draft())
		if err != nil {
			return httpapi.Reply[appendedBody]{}, err
		}
		body := appendedBody{ID: a.ID, Merged: a.Merged, ContentReplaced: a.ContentReplaced, OperationID: a.OperationID}
		return httpapi.OK(body).Wrote(a.Outcome), nil
	})
}
