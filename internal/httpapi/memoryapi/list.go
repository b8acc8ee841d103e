package memoryapi

import (
	"context"
	"encoding/json"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type listInput struct {
	Layer  string `query:"layer" enum:"Platform,Tenant,Workspace,Session"`
	Type   string `query:"type" enum:"fact,decision,preference,policy,procedure,episode,summary,file_doc,artifact_ref"`
	RunID  string `query:"runId" maxLength:"256"`
	Status string `query:"status" enum:"active,superseded,quarantined"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor" doc:"nextCursor of the page before"`
	Named
}

type entryPage struct {
	Entries    []entryBody `json:"entries"`
	NextCursor *string     `json:"nextCursor" nullable:"true" doc:"Null at the end; a page may be short and still have one"`
}

func (in *listInput) filter() memory.Filter {
	return memory.Filter{Layer: memory.Layer(in.Layer), Type: memory.Type(in.Type), RunID: in.RunID,
		Status: memory.Status(in.Status), Subject: in.subject()}
}

// List lists entries, newest first (R0.61, T.52).
func List(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryList, func(ctx context.Context, c *httpapi.Call, in *listInput) (httpapi.Reply[entryPage], error) {
		filter := in.filter()
		text, err := json.Marshal(filter)
		if err != nil {
			return httpapi.Reply[entryPage]{}, err
		}
		after, err := c.Cursors.Open(c.Route.ID, c.Scope, string(text), in.Cursor)
		if err != nil {
			return httpapi.Reply[entryPage]{}, err
		}
		page, err := service.List(ctx, target(c), filter, in.Limit, after)
		if err != nil {
			return httpapi.Reply[entryPage]{}, err
		}
		body := entryPage{Entries: make([]entryBody, len(page.Entries)), NextCursor: nextOf(c, string(text), page.Next)}
		for i, m := range page.Entries {
			body.Entries[i] = entryOf(m)
		}
		return httpapi.OK(body), nil
	})
}
