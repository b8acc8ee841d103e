package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const schemaPrefix = "#/components/schemas/"

// SeparateMark is the schema extension of parts that are checked on their own.
const SeparateMark = "x-checked-separately"

func init() {
	huma.DefaultArrayNullable = false // a list that may be null says so
	huma.ValidateStrictCasing = true
}

// registry collects the schemas of named types. Huma's own refuses references
// that may be null and knows json.RawMessage as anything at all.
type registry struct {
	schemas map[string]*huma.Schema
	types   map[string]reflect.Type
}

// NewRegistry makes an empty registry of schemas.
func NewRegistry() huma.Registry {
	return &registry{schemas: map[string]*huma.Schema{}, types: map[string]reflect.Type{}}
}

var (
	rawType      = reflect.TypeFor[json.RawMessage]()
	providerType = reflect.TypeFor[huma.SchemaProvider]()
	textType     = reflect.TypeFor[interface{ UnmarshalText([]byte) error }]()
)

// Schema answers a type's schema: that of a named struct by reference, when that
// is allowed. Two types of one name are a mistake in the program.
func (r *registry) Schema(t reflect.Type, allowRef bool, hint string) *huma.Schema {
	if t == rawType {
		return &huma.Schema{Extensions: map[string]any{SeparateMark: true}}
	}
	plain := t
	for plain.Kind() == reflect.Pointer {
		plain = plain.Elem()
	}
	if kind := plain.Kind(); kind == reflect.Slice || kind == reflect.Array {
		return huma.SchemaFromType(r, plain)
	}
	if !referable(plain) {
		return huma.SchemaFromType(r, t)
	}
	name := SchemaName(plain, hint)
	if known := r.types[name]; known != nil && known != plain {
		panic(fmt.Sprintf("httpapi: two schemas of the name %s: %v and %v", name, known, plain))
	}
	if r.types[name] == nil {
		r.types[name], r.schemas[name] = plain, &huma.Schema{} // so that a type may hold itself
		r.schemas[name] = huma.SchemaFromType(r, flattened(plain))
	}
	if allowRef {
		return &huma.Schema{Ref: schemaPrefix + name}
	}
	return r.schemas[name]
}

// flattened is a struct type with the fields of the structs that it embeds as its
// own, as encoding/json writes it: huma leaves out those of an embedded type that is
// not exported. Two fields of one JSON name are a mistake in the program.
func flattened(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Struct || !embeds(t) {
		return t
	}
	var fields []reflect.StructField
	names := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		if inlined(f) || !f.IsExported() && f.Name != "_" {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name = cmp.Or(name, f.Name); f.IsExported() && name != "-" && names[name] {
			panic(fmt.Sprintf("httpapi: %v has two members %s", t, name))
		}
		names[name] = true
		f.Anonymous = false
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

func embeds(t reflect.Type) bool {
	for i := range t.NumField() {
		if inlined(t.Field(i)) {
			return true
		}
	}
	return false
}

// inlined tells an embedded struct whose fields are members of what holds it.
func inlined(f reflect.StructField) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && f.Tag.Get("json") == "" && t.Kind() == reflect.Struct
}

func referable(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() == reflect.Struct && t.Name() != "" && t.PkgPath() != "time" && !p.Implements(providerType) && !p.Implements(textType)
}

// SchemaFromRef answers what a reference stands for, without the type «object»:
// huma asks for it only to refuse references that may be null.
func (r *registry) SchemaFromRef(ref string) *huma.Schema {
	s := *r.schemas[strings.TrimPrefix(ref, schemaPrefix)]
	if s.Type == huma.TypeObject {
		s.Type = ""
	}
	return &s
}

// TypeFromRef answers the type behind a reference.
func (r *registry) TypeFromRef(ref string) reflect.Type {
	return r.types[strings.TrimPrefix(ref, schemaPrefix)]
}

// Map answers all named schemas.
func (r *registry) Map() map[string]*huma.Schema { return r.schemas }

// MarshalJSON writes all named schemas.
func (r *registry) MarshalJSON() ([]byte, error) { return json.Marshal(r.schemas) }

// RegisterTypeAlias is there for the interface; types stand for themselves here.
func (r *registry) RegisterTypeAlias(t, alias reflect.Type) {
	panic(fmt.Sprintf("httpapi: no alias of %v for %v", alias, t))
}

// SchemaName names a type's schema in the OpenAPI document: the type's name, led
// by its family, so that two families may use one name.
func SchemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	family := t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:]
	family = strings.TrimSuffix(family, "api")
	if family == "" || family == "http" || len(name) >= len(family) && strings.EqualFold(name[:len(family)], family) {
		return name
	}
	return strings.ToUpper(family[:1]) + family[1:] + name
}
