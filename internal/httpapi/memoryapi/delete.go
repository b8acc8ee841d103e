package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type deleteInput struct {
	ID      string `path:"id"`
	Cascade bool   `query:"cascade" doc:"Takes what is derived from this entry alone along"`
	Named
}

// Delete deletes an entry and leaves the job that erases its copies (S0.48 to S0.50).
func Delete(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryDelete, func(ctx context.Context, c *httpapi.Call, in *deleteInput) (httpapi.Reply[struct{}], error) {
		out, err := service.Delete(ctx, target(c), memory.Removal{
			ID: in.ID, Subject: in.subject(), Cascade: in.Cascade, Allows: c.AllowsVersion,
		})
		if err != nil {
			return httpapi.Reply[struct{}]{}, err
		}
		return httpapi.Reply[struct{}]{NoBody: true}.Wrote(out), nil
	})
}
