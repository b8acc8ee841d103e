package factapi

import (
	"context"

	"holdfast/internal/factsearch"
	"holdfast/internal/facttools"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type searchInput struct {
	Body searchBody
}

type searchBody struct {
	Query string   `json:"query" maxLength:"4000" doc:"Any word may match, each as the beginning of one; empty: the newest"`
	Path  *string  `json:"path,omitempty" required:"false" nullable:"true"`
	Tags  []string `json:"tags,omitempty" required:"false" nullable:"true" doc:"A fact must have all"`
	K     *int     `json:"k,omitempty" required:"false" nullable:"true" minimum:"1" maximum:"50" doc:"5 when left out"`
}

type hitBody struct {
	factBody
	Score *float64 `json:"score" nullable:"true" doc:"Null with an empty query"`
}

type hitsBody struct {
	Facts []hitBody `json:"facts" doc:"Best first"`
}

// Search finds facts by words.
func Search(d httpapi.Deps) httpapi.Endpoint {
	service, hash := searchOf(d), hashesOf(d)
	return httpapi.Handle(routes.FactsSearch, func(ctx context.Context, c *httpapi.Call, in *searchInput) (httpapi.Reply[hitsBody], error) {
		request, err := hash.of(ctx, c.Scope, c.Body)
		if err != nil {
			return httpapi.Reply[hitsBody]{}, err
		}
		hits, err := service.Search(ctx, factsearch.Query{Target: runs(c), Text: in.Body.Query, Path: or(in.Body.Path, ""),
			Tags: in.Body.Tags, K: in.Body.K, RequestHash: request})
		if err != nil {
			return httpapi.Reply[hitsBody]{}, err
		}
		body := hitsBody{Facts: make([]hitBody, len(hits))}
		for i, h := range hits {
			body.Facts[i] = hitBody{factBody: factOf(h.Fact), Score: h.Score}
		}
		return httpapi.OK(body), nil
	})
}

type contextInput struct {
	Body contextBody
}

type contextBody struct {
	Query string   `json:"query" maxLength:"4000" doc:"Empty: the newest"`
	Paths []string `json:"paths,omitempty" required:"false" nullable:"true" minItems:"1" maxItems:"50" doc:"Folders; everything when left out"`
	K     *int     `json:"k,omitempty" required:"false" nullable:"true" minimum:"1" maximum:"50" doc:"Facts a folder; 8 when left out"`
}

type promptBody struct {
	Text string `json:"text" doc:"Empty: nothing was found"`
}

// Context answers the block of facts for a prompt.
func Context(d httpapi.Deps) httpapi.Endpoint {
	service, hash := searchOf(d), hashesOf(d)
	return httpapi.Handle(routes.FactsContext, func(ctx context.Context, c *httpapi.Call, in *contextInput) (httpapi.Reply[promptBody], error) {
		request, err := hash.of(ctx, c.Scope, c.Body)
		if err != nil {
			return httpapi.Reply[promptBody]{}, err
		}
		text, err := facttools.Block(ctx, service, facttools.BlockQuery{Target: runs(c), Text: in.Body.Query,
			Paths: in.Body.Paths, K: in.Body.K, RequestHash: request})
		if err != nil {
			return httpapi.Reply[promptBody]{}, err
		}
		return httpapi.OK(promptBody{text}), nil
	})
}
