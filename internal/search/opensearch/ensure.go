package opensearch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Ensure makes the index where there is none, with a template for its successors,
// adds the fields of new profiles, and checks the rest as Check does. It is for the
// worker and the deploy step, never for a request.
func (x *Index) Ensure(ctx context.Context) error {
	if err := x.create(ctx, x.settings(), x.mappings()); err != nil {
		return err
	}
	missing, err := x.compare(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	return x.put(ctx, "/"+x.index+"/_mapping", object{"properties": object{fieldVectors: object{"properties": x.vectorFields()}}})
}

// create makes the index unless there is one, and a template for its successors.
func (x *engine) create(ctx context.Context, settings, mappings object) error {
	if err := x.put(ctx, "/_index_template/"+x.family(), object{
		"index_patterns": []string{x.pattern()}, "priority": 100,
		"template": object{"settings": settings, "mappings": mappings},
	}); err != nil {
		return err
	}
	err := x.put(ctx, "/"+x.index, object{
		"settings": settings, "mappings": mappings, "aliases": object{x.alias: object{}},
	})
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Type == "resource_already_exists_exception" {
		return nil
	}
	return err
}

func (x *engine) put(ctx context.Context, path string, body object) error {
	return do(ctx, x, request{method: http.MethodPut, path: path, body: encode(body)}, nothing)
}

var numbered = regexp.MustCompile(`^(.*-v)\d+$`)

// family names the template: mem for mem-v1 and what follows it.
func (x *engine) family() string {
	if m := numbered.FindStringSubmatch(x.index); m != nil {
		return strings.TrimSuffix(m[1], "-v")
	}
	return x.index
}

func (x *engine) pattern() string {
	if m := numbered.FindStringSubmatch(x.index); m != nil {
		return m[1] + "*"
	}
	return x.index
}

// Check compares the index with what this adapter writes: it is there, has this
// layout, and keeps vectors of each profile with the profile's dimension.
func (x *Index) Check(ctx context.Context) error {
	missing, err := x.compare(ctx)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("search/opensearch: index %s keeps no vectors of profile %s", x.index, strings.Join(missing, ", "))
	}
	return err
}

// ErrMismatch: the index that is there is not one that this program can use.
var ErrMismatch = errors.New("search/opensearch: the index does not fit")

// Fits is Check for a process that only searches: an index that is not there yet,
// or a domain that does not answer now, is no mistake of the settings.
func (x *Index) Fits(ctx context.Context) error {
	if _, err := x.compare(ctx); errors.Is(err, ErrMismatch) {
		return err
	}
	return nil
}

// compare answers the profiles that the index has no field for.
func (x *Index) compare(ctx context.Context) (missing []string, err error) {
	var answer map[string]struct {
		Mappings struct {
			Meta struct {
				Layout int `json:"layout"`
			} `json:"_meta"`
			Properties map[string]struct {
				Properties map[string]struct {
					Dimension int `json:"dimension"`
				} `json:"properties"`
			} `json:"properties"`
		} `json:"mappings"`
	}
	if err := do(ctx, &x.engine, request{method: http.MethodGet, path: "/" + x.index + "/_mapping"}, &answer); err != nil {
		return nil, err
	}
	found := answer[x.index].Mappings
	if found.Meta.Layout != layout {
		return nil, fmt.Errorf("%w: index %s has layout %d, this program writes %d", ErrMismatch, x.index, found.Meta.Layout, layout)
	}
	for profile, dimension := range x.dimensions {
		field, ok := found.Properties[fieldVectors].Properties[fieldOf(profile)]
		switch {
		case !ok:
			missing = append(missing, profile)
		case field.Dimension != dimension:
			return nil, fmt.Errorf("%w: index %s keeps vectors of profile %s with %d dimensions, the profile has %d",
				ErrMismatch, x.index, profile, field.Dimension, dimension)
		}
	}
	slices.Sort(missing)
	return missing, nil
}
