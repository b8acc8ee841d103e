package httpapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"unicode/utf8"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

// workspaceName is the member or parameter that names a call's workspace (S0.2).
const workspaceName = "workspaceId"

// input is how a request becomes an endpoint's input type: made once a route.
type input struct {
	path    []segment
	params  []param // of path and header
	query   map[string]*param
	body    int // index of the field Body; -1: none
	bodyOf  reflect.Type
	rule    *rule // of the body; nil: takes none
	scoped  bool  // the body names the workspace
	lenient bool  // no field Body: an empty object may be sent
}

// place says where a parameter stands.
type place string

const (
	inPath   place = "path"
	inQuery  place = "query"
	inHeader place = "header"
)

// rawInput is a request as far as inputs are read from it, checked.
type rawInput struct {
	path   []string
	query  url.Values
	header http.Header
	body   []byte
}

// newInput plans an input type for a route.
func newInput(route routes.Route, t reflect.Type) *input {
	in := &input{path: pattern(route.Path), query: map[string]*param{}, body: -1}
	if t.Kind() != reflect.Struct {
		panic("httpapi: " + route.ID + ": the input is no struct")
	}
	for _, f := range reflect.VisibleFields(t) {
		in.field(route, f)
	}
	if route.Scope == routes.WorkspaceQuery && in.query[workspaceName] == nil {
		p := newParam(reflect.StructField{Type: reflect.TypeFor[string](),
			Tag: `required:"true" doc:"The workspace of the call"`}, workspaceName, inQuery)
		p.field = nil
		in.query[workspaceName] = p
	}
	in.planBody(route)
	return in
}

func (in *input) field(route routes.Route, f reflect.StructField) {
	if !f.IsExported() || f.Anonymous {
		return
	}
	if f.Name == "Body" {
		in.body, in.bodyOf = f.Index[0], f.Type
		return
	}
	for _, at := range []place{inPath, inQuery, inHeader} {
		name := f.Tag.Get(string(at))
		if name == "" {
			continue
		}
		p := newParam(f, name, at)
		if at == inPath && in.segmentOf(name) < 0 {
			panic("httpapi: " + route.ID + ": no such path parameter: " + name)
		}
		if at == inQuery {
			in.query[name] = p
		} else {
			in.params = append(in.params, *p)
		}
		return
	}
	panic("httpapi: " + route.ID + ": field without a place: " + f.Name)
}

// planBody makes the body's rule. A body that names the workspace has the member
// workspaceId whether or not its type lists it.
func (in *input) planBody(route routes.Route) {
	in.scoped = route.Scope == routes.WorkspaceBody
	if route.BodyLimit == 0 {
		if in.body >= 0 || in.scoped {
			panic("httpapi: " + route.ID + ": takes no body")
		}
		return
	}
	if in.body < 0 {
		in.lenient, in.bodyOf = !in.scoped, reflect.TypeFor[struct{}]()
	}
	in.rule = compileType(in.bodyOf)
	if in.scoped && !in.rule.nameScope() {
		panic("httpapi: " + route.ID + ": its body cannot name a workspace")
	}
}

// nameScope marks the member that names the workspace, or adds it; it is always
// required and never empty. It answers false where it cannot be a text.
func (r *rule) nameScope() bool {
	if r.kind != objectKind {
		return false
	}
	m := r.members[workspaceName]
	if m == nil {
		m = &member{name: workspaceName, rule: &rule{kind: textKind, minLen: unbounded, maxLen: unbounded}}
		m.rule.say.typ = "must be a text"
		r.members[workspaceName] = m
		r.order = append(r.order, m)
		r.arrange()
	}
	if m.rule.kind != textKind {
		return false
	}
	own := *m.rule
	own.scope, own.minLen = true, max(1, own.minLen)
	if own.say.size == "" {
		own.say.size = "must not be empty"
	}
	m.rule, m.required = &own, true
	return true
}

// check lists what is wrong with the parameters; bodies are checked by the walker.
func (in *input) check(raw *rawInput) []errs.Field {
	var fields []errs.Field
	for name, values := range raw.query {
		p := in.query[name]
		switch {
		case p == nil:
			fields = append(fields, errs.Field{Pointer: shortened([]byte(name)), Rule: "is not a parameter of this call"})
		case len(values) > 1 && !p.list:
			fields = append(fields, errs.Field{Pointer: name, Rule: sayTwice})
		}
	}
	for _, p := range in.query {
		fields = p.check(fields, raw.query[p.name])
	}
	for i := range in.params {
		p := &in.params[i]
		fields = p.check(fields, in.valuesOf(p, raw))
	}
	return fields
}

func (in *input) valuesOf(p *param, raw *rawInput) []string {
	if p.in == inHeader {
		return raw.header[p.name]
	}
	return raw.path[in.segmentOf(p.name) : in.segmentOf(p.name)+1]
}

// fill sets the fields of an input from a checked request.
func (in *input) fill(target reflect.Value, raw *rawInput) error {
	for i := range in.params {
		in.params[i].set(target, in.valuesOf(&in.params[i], raw))
	}
	for _, p := range in.query {
		if p.field != nil {
			p.set(target, raw.query[p.name])
		}
	}
	if in.body < 0 {
		return nil
	}
	if err := json.Unmarshal(raw.body, target.Field(in.body).Addr().Interface()); err != nil {
		return misfit(err, "")
	}
	return nil
}

// plain tells whether a parameter's text is UTF-8 without NUL (T.8).
func plain(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }
