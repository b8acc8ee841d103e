package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/routes"
)

// The names of what operations refer to in the OpenAPI document.
const (
	SecurityBearer = "bearer" // a tenant's key
	SecurityRoot   = "root"   // the root key
)

// Operation is the endpoint's part of the OpenAPI document; schemas go into the
// registry, which NewRegistry made.
func (e Endpoint) Operation(registry huma.Registry) *huma.Operation {
	r := e.route
	op := &huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Tags: []string{string(r.Family)},
		Parameters: e.parameters(registry), Responses: e.responses(registry), Extensions: map[string]any{},
	}
	switch r.Access {
	case routes.KeyAccess:
		op.Security = []map[string][]string{{SecurityBearer: {}}}
		op.Extensions["x-capability"] = string(r.Capability)
	case routes.RootAccess:
		op.Security = []map[string][]string{{SecurityRoot: {}}}
	}
	if e.input.rule != nil && !e.input.lenient {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: e.bodySchema(registry)},
		}}
	}
	return op
}

// bodySchema is the body's schema by reference, or with the member workspaceId
// where the type does not list it.
func (e Endpoint) bodySchema(registry huma.Registry) *huma.Schema {
	hint := e.route.ID + "Body"
	whole := registry.Schema(e.input.bodyOf, false, hint)
	if !e.input.scoped || whole.Properties[workspaceName] != nil {
		return registry.Schema(e.input.bodyOf, true, hint)
	}
	own := *whole
	own.Properties = maps.Clone(whole.Properties)
	if own.Properties == nil {
		own.Properties = map[string]*huma.Schema{}
	}
	own.Properties[workspaceName] = &huma.Schema{Type: huma.TypeString, Description: "The workspace of the call"}
	own.Required = append([]string{workspaceName}, whole.Required...)
	return &own
}

// parameters lists those of the input, then the shared headers.
func (e Endpoint) parameters(registry huma.Registry) []*huma.Param {
	var all []*huma.Param
	for i := range e.input.params {
		all = append(all, e.input.params[i].document(registry))
	}
	for _, p := range e.input.query {
		all = append(all, p.document(registry))
	}
	for _, s := range e.input.path {
		if s.name != "" && !listed(all, inPath, s.name) {
			all = append(all, &huma.Param{Name: s.name, In: string(inPath), Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
		}
	}
	if e.route.Idempotency != routes.NoIdempotency {
		low, high := 1, 255
		all = append(all, &huma.Param{Name: headerKey, In: string(inHeader),
			Description: "Repeats of a call with this key answer what the first one did, for 24 hours.",
			Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &low, MaxLength: &high}})
	}
	if slices.Contains(e.route.Codes, "VERSION_MISMATCH") && !listed(all, inHeader, "If-Match") {
		all = append(all, &huma.Param{Name: "If-Match", In: string(inHeader),
			Description: "Go on only while the version is this one.", Schema: &huma.Schema{Type: huma.TypeString}})
	}
	slices.SortStableFunc(all, func(a, b *huma.Param) int {
		if a.In != b.In {
			return strings.Compare(order[a.In], order[b.In])
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

var order = map[string]string{string(inPath): "1", string(inQuery): "2", string(inHeader): "3"}

func listed(all []*huma.Param, in place, name string) bool {
	return slices.ContainsFunc(all, func(p *huma.Param) bool { return p.In == string(in) && p.Name == name })
}

func (p *param) document(registry huma.Registry) *huma.Param {
	schema := huma.SchemaFromField(registry, p.source, p.name)
	schema.Nullable = false // a parameter is left out, never null
	description := schema.Description
	schema.Description = ""
	return &huma.Param{Name: p.name, In: string(p.in), Required: p.required, Description: description, Schema: schema}
}

// responses lists the success, the shared problems and, under default, the codes
// of the route's own.
func (e Endpoint) responses(registry huma.Registry) map[string]*huma.Response {
	r := e.route
	out := map[string]*huma.Response{strconv.Itoa(r.Success): e.success(registry)}
	for _, shared := range sharedProblems(r, e.input.rule != nil) {
		add(out, registry, strconv.Itoa(shared.status), shared.code)
	}
	for _, code := range r.Codes {
		add(out, registry, "default", code)
	}
	return out
}

func (e Endpoint) success(registry huma.Registry) *huma.Response {
	response := &huma.Response{Description: http.StatusText(e.route.Success)}
	if e.route.Success == http.StatusNoContent {
		return response
	}
	response.Content = map[string]*huma.MediaType{
		"application/json": {Schema: registry.Schema(e.output, true, e.route.ID+"Answer")},
	}
	return response
}

// add notes a code under a status.
func add(out map[string]*huma.Response, registry huma.Registry, status, code string) {
	response := out[status]
	if response == nil {
		response = &huma.Response{Description: "Problem; code:", Content: map[string]*huma.MediaType{
			problemType: {Schema: registry.Schema(reflect.TypeFor[Problem](), true, "Problem")},
		}}
		out[status] = response
	}
	separator := ","
	if strings.HasSuffix(response.Description, ":") {
		separator = ""
	}
	response.Description += fmt.Sprintf("%s %s", separator, code)
}

type sharedProblem struct {
	status int
	code   string
}

// sharedProblems are those that the gate itself answers on a route.
func sharedProblems(r routes.Route, body bool) []sharedProblem {
	all := []sharedProblem{{r.BadInput, "VALIDATION_FAILED"}, {500, "INTERNAL"}, {503, "UNAVAILABLE"}}
	if body {
		all = append(all, sharedProblem{r.BadInput, "MALFORMED_JSON"}, sharedProblem{413, "BODY_TOO_LARGE"})
	}
	if r.Access != routes.Open {
		all = append(all, sharedProblem{401, "UNAUTHENTICATED"}, sharedProblem{403, "CAPABILITY_MISSING"}, sharedProblem{429, "RATE_LIMITED"})
	}
	if r.Scope != routes.TenantScope || strings.Contains(r.Path, "{") {
		all = append(all, sharedProblem{404, "NOT_FOUND"})
	}
	if r.Idempotency != routes.NoIdempotency {
		all = append(all, sharedProblem{409, "IDEMPOTENCY_IN_PROGRESS"}, sharedProblem{422, "IDEMPOTENCY_KEY_REUSED"})
	}
	return all
}
