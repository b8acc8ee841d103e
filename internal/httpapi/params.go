package httpapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/errs"
)

// param is one parameter of a path, query or header.
type param struct {
	name       string
	in         place
	field      []int // of the input type; nil: checked only
	source     reflect.StructField
	rule       *rule // of one value
	required   bool
	list       bool   // may be repeated
	otherwise  string // its text where it is left out; see hasDefault
	hasDefault bool
	read       func(reflect.Value, string)
}

func newParam(f reflect.StructField, name string, in place) *param {
	p := &param{name: name, in: in, field: f.Index, source: f, required: in == inPath || f.Tag.Get("required") == "true"}
	if in == inHeader {
		p.name = http.CanonicalHeaderKey(name)
	}
	p.otherwise, p.hasDefault = f.Tag.Lookup("default")
	registry := NewRegistry()
	schema := huma.SchemaFromField(registry, f, f.Name)
	p.rule = newCompiler(registry).compile(schema)
	t := f.Type
	if p.rule.kind == listKind {
		p.list, p.rule, t = true, p.rule.items, t.Elem()
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p.read = reader(t)
	if p.read == nil {
		panic("httpapi: parameter " + name + " has a type that cannot be read from text")
	}
	return p
}

// reader answers how a checked text becomes a value of a type; nil: it cannot.
func reader(t reflect.Type) func(reflect.Value, string) {
	if t == timeType {
		return func(v reflect.Value, text string) {
			at, _ := ParseTime(text)
			v.Set(reflect.ValueOf(At(at)))
		}
	}
	switch t.Kind() {
	case reflect.String:
		return func(v reflect.Value, text string) { v.SetString(text) }
	case reflect.Bool:
		return func(v reflect.Value, text string) { v.SetBool(text == "true") }
	case reflect.Int, reflect.Int32, reflect.Int64:
		return func(v reflect.Value, text string) {
			whole, _ := wholeOf(text)
			n, _ := strconv.ParseInt(whole, 10, 64)
			v.SetInt(n)
		}
	case reflect.Float64:
		return func(v reflect.Value, text string) {
			n, _ := strconv.ParseFloat(text, 64)
			v.SetFloat(n)
		}
	}
	return nil
}

// check holds the values against the parameter's rule.
func (p *param) check(fields []errs.Field, values []string) []errs.Field {
	if len(values) == 0 {
		if p.required {
			fields = append(fields, errs.Field{Pointer: p.name, Rule: sayMissing})
		}
		return fields
	}
	for _, text := range values {
		if text == "" && p.required {
			fields = append(fields, errs.Field{Pointer: p.name, Rule: sayMissing})
			continue
		}
		for _, f := range p.faults(text) {
			fields = append(fields, errs.Field{Pointer: p.name, Rule: f.Rule})
		}
	}
	return fields
}

// faults holds one text against the rule, by way of the walker for texts, so
// that bodies and parameters obey the same rules in the same words.
func (p *param) faults(text string) []errs.Field {
	if !plain(text) {
		return []errs.Field{{Rule: "must be UTF-8 without NUL"}}
	}
	raw := []byte(text)
	if p.rule.kind == textKind {
		if p.rule.free() {
			return nil
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			return []errs.Field{{Rule: p.rule.say.typ}}
		}
		raw = quoted
	}
	seen := checkJSON(raw, p.rule, "")
	if seen.broken || text == "null" || p.rule.kind != textKind && strings.ContainsAny(text, " \t\r\n") {
		return []errs.Field{{Rule: p.rule.say.typ}}
	}
	return seen.fields
}

// free tells a text rule that refuses nothing.
func (r *rule) free() bool {
	return r.minLen == unbounded && r.maxLen == unbounded && r.pattern == nil && r.format == nil && r.texts == nil
}

// set reads the values, or the default, into the input's field.
func (p *param) set(target reflect.Value, values []string) {
	if len(values) == 0 && p.hasDefault {
		values = []string{p.otherwise}
	}
	if len(values) == 0 {
		return
	}
	v := target.FieldByIndex(p.field)
	if p.list {
		v.Set(reflect.MakeSlice(v.Type(), len(values), len(values)))
		for i, text := range values {
			p.read(v.Index(i), text)
		}
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	p.read(v, values[0])
}
