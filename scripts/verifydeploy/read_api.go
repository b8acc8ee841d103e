package main

import (
	"context"
	"net/url"
	"strings"
)

// upper gives the members of an answer of API Gateway, which begin in lower case,
// the template's names. Below them names of callers' own begin as they like, so
// that only members of objects of the service's are renamed.
func upper(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for name, value := range v {
			out[strings.ToUpper(name[:1])+name[1:]] = upper(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = upper(v[i])
		}
	}
	return v
}

// lower is the other way round: a template's value as the service takes it.
func lower(v any) any {
	o, ok := v.(object)
	if !ok {
		return v
	}
	out := object{}
	for name, value := range o {
		out[strings.ToLower(name[:1])+name[1:]] = value
	}
	return out
}

// ofAPI asks for something of the resource's API.
func ofAPI(ctx context.Context, c *cloud, r *resource, path string) (object, error) {
	api, err := r.stack.resolved(ctx, r.properties["ApiId"])
	if err != nil {
		return nil, err
	}
	answer, err := c.rest(ctx, "apigateway", "GET", "/v2/apis/"+url.PathEscape(text(api))+path, nil)
	if err != nil {
		return nil, err
	}
	state := upper(answer).(object)
	state["ApiId"] = api
	return state, nil
}

// readAPI leaves the members of CORS as they come: an emulator that takes them over
// from a template in the template's spelling does not act on them.
func readAPI(ctx context.Context, c *cloud, r *resource) (object, error) {
	answer, err := c.rest(ctx, "apigateway", "GET", "/v2/apis/"+url.PathEscape(r.physical), nil)
	if err != nil {
		return nil, err
	}
	state := upper(answer).(object)
	delete(state, "CorsConfiguration")
	if cors, ok := answer["corsConfiguration"].(object); ok {
		acted := object{}
		for name, value := range cors {
			if name[0] >= 'a' {
				acted[strings.ToUpper(name[:1])+name[1:]] = value
			}
		}
		state["CorsConfiguration"] = acted
	}
	return state, nil
}

func readStage(ctx context.Context, c *cloud, r *resource) (object, error) {
	return ofAPI(ctx, c, r, "/stages/"+url.PathEscape(r.physical))
}

func readIntegration(ctx context.Context, c *cloud, r *resource) (object, error) {
	return ofAPI(ctx, c, r, "/integrations/"+url.PathEscape(r.physical))
}

func readRoute(ctx context.Context, c *cloud, r *resource) (object, error) {
	return ofAPI(ctx, c, r, "/routes/"+url.PathEscape(last(r.physical, "/")))
}
