package memoryapi

import (
	"context"
	"net/http"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type entryInput struct {
	ID string `path:"id"`
	Named
}

// Get reads one entry (S0.38 to S0.41).
func Get(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryGet, func(ctx context.Context, c *httpapi.Call, in *entryInput) (httpapi.Reply[entryBody], error) {
		m, err := service.Get(ctx, target(c), in.ID, in.subject())
		if err != nil {
			return httpapi.Reply[entryBody]{}, err
		}
		if c.KnowsVersion(m.Version) {
			return httpapi.Empty[entryBody](http.StatusNotModified).ETag(m.Version), nil
		}
		return httpapi.OK(entryOf(m)).ETag(m.Version), nil
	})
}
