package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/routes"
)

// The names of what operations refer to in the OpenAPI document.
const (
	SecurityBearer = "bearer" // a tenant's key
	SecurityRoot   = "root"   // the root key
	SecurityRun    = "run"    // the token of a run
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
	case routes.RunAccess:
		op.Security = []map[string][]string{{SecurityRun: {}}}
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
	nullable(registry, whole, map[*huma.Schema]bool{})
	one := 1 // never empty, see nameScope
	if named := whole.Properties[workspaceName]; e.input.scoped && named != nil && named.MinLength == nil {
		named.MinLength = &one
	}
	if !e.input.scoped || whole.Properties[workspaceName] != nil {
		return registry.Schema(e.input.bodyOf, true, hint)
	}
	own := *whole
	own.Properties = maps.Clone(whole.Properties)
	if own.Properties == nil {
		own.Properties = map[string]*huma.Schema{}
	}
	own.Properties[workspaceName] = &huma.Schema{Type: huma.TypeString, MinLength: &one, Description: "The workspace of the call"}
	own.Required = append([]string{workspaceName}, whole.Required...)
	return &own
}

// parameters lists those of the input, then the shared headers.
func (e Endpoint) parameters(registry huma.Registry) []*huma.Param {
	var all []*huma.Param
	r := e.route
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
	if r.Scope == routes.WorkspaceKey {
		all = append(all, &huma.Param{Name: headerWorkspace, In: string(inHeader),
			Description: "The workspace, where the key has several.", Schema: &huma.Schema{Type: huma.TypeString}})
	}
	if e.tagged() && r.Method == http.MethodGet {
		all = append(all, &huma.Param{Name: "If-None-Match", In: string(inHeader),
			Description: "Answer 304 while the version is one of these.", Schema: &huma.Schema{Type: huma.TypeString}})
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

// nullable notes of a request's schemas what the walker does: null stands for
// leaving out a member that is not required.
func nullable(registry huma.Registry, s *huma.Schema, seen map[*huma.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if s.Ref != "" {
		nullable(registry, registry.Map()[strings.TrimPrefix(s.Ref, schemaPrefix)], seen)
	}
	for name, property := range s.Properties {
		nullable(registry, property, seen)
		_, separate := property.Extensions[SeparateMark]
		if !separate && !slices.Contains(s.Required, name) {
			property.Nullable = property.Nullable || property.Ref != "" || property.Type != ""
		}
	}
	nullable(registry, s.Items, seen)
	for _, part := range s.AllOf {
		nullable(registry, part, seen)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		nullable(registry, values, seen)
	}
}
