package memoryapi

import (
	"cmp"
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type quarantineInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor" doc:"nextCursor of the page before"`
}

// heldBody is a row of the quarantine list (R0.52).
type heldBody struct {
	ID        string       `json:"id"`
	Content   string       `json:"content"`
	Reasons   []string     `json:"reasons"`
	Source    string       `json:"source" doc:"Source of the agent's key, else the origin"`
	CreatedAt httpapi.Time `json:"createdAt"`
}

type heldPage struct {
	Entries    []heldBody `json:"entries"`
	NextCursor *string    `json:"nextCursor" nullable:"true"`
}

func heldOf(m *memory.Memory) heldBody {
	out := heldBody{ID: m.ID, Content: m.Content, Reasons: []string{}, CreatedAt: httpapi.At(m.CreatedAt),
		Source: cmp.Or(m.Provenance.SourceID, string(m.Provenance.Origin))}
	if m.Quarantine != nil {
		out.Reasons = m.Quarantine.Reasons
	}
	return out
}

// QuarantineList lists entries in quarantine, newest first.
func QuarantineList(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryQuarantine, func(ctx context.Context, c *httpapi.Call, in *quarantineInput) (httpapi.Reply[heldPage], error) {
		after, err := c.Cursors.Open(c.Route.ID, c.Scope, "", in.Cursor)
		if err != nil {
			return httpapi.Reply[heldPage]{}, err
		}
		page, err := service.Quarantine(ctx, target(c), in.Limit, after)
		if err != nil {
			return httpapi.Reply[heldPage]{}, err
		}
		body := heldPage{Entries: make([]heldBody, len(page.Entries)), NextCursor: nextOf(c, "", page.Next)}
		for i, m := range page.Entries {
			body.Entries[i] = heldOf(m)
		}
		return httpapi.OK(body), nil
	})
}
