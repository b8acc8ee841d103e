package factapi

import (
	"context"
	"strings"

	"holdfast/internal/fact"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

// filterInput narrows a list (S3.26).
type filterInput struct {
	Path   string `query:"path" doc:"A folder, by whole segments; empty: everything"`
	Tags   string `query:"tags" doc:"Tags with commas between; a fact must have all"`
	Limit  int    `query:"limit" default:"50" minimum:"1" maximum:"200"`
	Before string `query:"before" doc:"The last fact seen"`
}

type listBody struct {
	Facts []factBody `json:"facts" doc:"Newest first"`
	Next  *string    `json:"next" nullable:"true" doc:"For before; null at the end"`
}

func (in filterInput) list(ctx context.Context, s *fact.Service, t fact.Target) (httpapi.Reply[listBody], error) {
	var tags []string
	if in.Tags != "" {
		tags = strings.Split(in.Tags, ",")
	}
	filter, err := fact.NewFilter(t.Border, in.Path, tags)
	if err != nil {
		return httpapi.Reply[listBody]{}, err
	}
	page, err := s.List(ctx, t, filter, in.Limit, in.Before)
	if err != nil {
		return httpapi.Reply[listBody]{}, err
	}
	return httpapi.OK(listBody{Facts: factsOf(page.Facts), Next: orNull(page.Next)}), nil
}

// List lists facts, newest first.
func List(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.FactsList, func(ctx context.Context, c *httpapi.Call, in *filterInput) (httpapi.Reply[listBody], error) {
		return in.list(ctx, service, runs(c))
	})
}

type factInput struct {
	ID string `path:"id"`
}

// Get reads one fact.
func Get(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.FactsGet, func(ctx context.Context, c *httpapi.Call, in *factInput) (httpapi.Reply[factBody], error) {
		f, err := service.Get(ctx, runs(c), in.ID)
		if err != nil {
			return httpapi.Reply[factBody]{}, err
		}
		return httpapi.OK(factOf(f)).ETag(f.Version), nil
	})
}

type versionsBody struct {
	Versions []editionBody `json:"versions" doc:"Newest first, the current one too"`
}

// Versions lists a fact's versions.
func Versions(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.FactsVersions, func(ctx context.Context, c *httpapi.Call, in *factInput) (httpapi.Reply[versionsBody], error) {
		return versions(ctx, service, runs(c), in.ID)
	})
}

func versions(ctx context.Context, s *fact.Service, t fact.Target, id string) (httpapi.Reply[versionsBody], error) {
	_, list, err := s.Versions(ctx, t, id)
	if err != nil {
		return httpapi.Reply[versionsBody]{}, err
	}
	return httpapi.OK(versionsBody{editionsOf(list)}), nil
}

// Delete removes a fact with its whole history.
func Delete(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.FactsDelete, func(ctx context.Context, c *httpapi.Call, in *factInput) (httpapi.Reply[struct{}], error) {
		out, err := service.Delete(ctx, runs(c), in.ID)
		if err != nil {
			return httpapi.Reply[struct{}]{}, err
		}
		return httpapi.Reply[struct{}]{NoBody: true}.Wrote(out), nil
	})
}
