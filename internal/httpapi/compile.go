package httpapi

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/ids"
)

// compiler turns schemas into rules; references may be recursive.
type compiler struct {
	schemas map[string]*huma.Schema
	refs    map[string]*rule
}

func newCompiler(r huma.Registry) *compiler {
	return &compiler{schemas: r.Map(), refs: map[string]*rule{}}
}

// compileType makes the rule of a Go type.
func compileType(t reflect.Type) *rule {
	r := NewRegistry()
	schema := r.Schema(t, true, "Body")
	return newCompiler(r).compile(schema)
}

func (c *compiler) compile(s *huma.Schema) *rule {
	if s.Ref != "" {
		return c.reference(s)
	}
	r := &rule{nullable: s.Nullable, minLen: unbounded, maxLen: unbounded}
	if s.Extensions[SeparateMark] != nil {
		r.kind = rawKind
		return r
	}
	if len(s.OneOf)+len(s.AnyOf)+len(s.AllOf) > 0 || s.Not != nil {
		panic("httpapi: schemas that combine others cannot be checked")
	}
	c.byType(r, s)
	return r
}

// reference is the rule of a named schema; one that may be null is made anew,
// which ends, since somewhere in a circle of types a value must end.
func (c *compiler) reference(s *huma.Schema) *rule {
	key := s.Ref
	if s.Nullable {
		key += " or null"
	}
	if known := c.refs[key]; known != nil {
		return known
	}
	r := &rule{}
	c.refs[key] = r
	*r = *c.compile(c.schemas[strings.TrimPrefix(s.Ref, schemaPrefix)])
	r.nullable = r.nullable || s.Nullable
	return r
}

func (c *compiler) byType(r *rule, s *huma.Schema) {
	switch s.Type {
	case huma.TypeBoolean:
		r.kind, r.say.typ = boolKind, "must be true or false"
	case huma.TypeInteger:
		r.kind, r.say.typ = wholeKind, "must be a whole number"
		r.number(s)
	case huma.TypeNumber:
		r.kind, r.say.typ = numberKind, "must be a number"
		r.number(s)
	case huma.TypeString:
		r.kind, r.say.typ = textKind, "must be a text"
		r.text(s)
	case huma.TypeArray:
		r.kind, r.say.typ = listKind, "must be a list"
		r.items, r.unique = c.compile(s.Items), s.UniqueItems
		r.size(s.MinItems, s.MaxItems, "item")
	case huma.TypeObject:
		c.object(r, s)
	case "":
		r.kind = anyKind
	default:
		panic("httpapi: unknown schema type " + s.Type)
	}
}

func (c *compiler) object(r *rule, s *huma.Schema) {
	r.kind, r.say.typ = objectKind, "must be an object"
	r.size(s.MinProperties, s.MaxProperties, "member")
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok && len(s.Properties) == 0 {
		r.kind, r.values = dictKind, c.compile(values)
		return
	}
	r.open = s.AdditionalProperties == true
	if len(s.Properties) > 64 {
		panic("httpapi: an object of more than 64 members")
	}
	r.members = make(map[string]*member, len(s.Properties))
	for name, property := range s.Properties {
		m := &member{name: name, rule: c.compile(property), needs: s.DependentRequired[name],
			required: slices.Contains(s.Required, name)}
		r.members[name] = m
		r.order = append(r.order, m)
	}
	r.arrange()
}

// arrange puts members into the order of their names and gives each its bit.
func (r *rule) arrange() {
	slices.SortFunc(r.order, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	for i, m := range r.order {
		m.bit = 1 << i
	}
}

func (r *rule) number(s *huma.Schema) {
	r.bits = 64
	if s.Format == "int32" || s.Format == "float" {
		r.bits = 32
	}
	r.low, r.high, r.above, r.below, r.step = s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf
	say := func(text string, bound *float64) string {
		if bound == nil {
			return ""
		}
		return text + strconv.FormatFloat(*bound, 'f', -1, 64)
	}
	r.say.low, r.say.high = say("must be at least ", r.low), say("must be at most ", r.high)
	r.say.above, r.say.below = say("must be more than ", r.above), say("must be less than ", r.below)
	r.say.step = say("must be a multiple of ", r.step)
	for _, one := range s.Enum {
		n, ok := number(one)
		if !ok {
			panic(fmt.Sprintf("httpapi: %v in the list of a number", one))
		}
		r.numbers = append(r.numbers, n)
	}
	r.enum(s)
}

func number(v any) (float64, bool) {
	value := reflect.ValueOf(v)
	switch {
	case value.CanInt():
		return float64(value.Int()), true
	case value.CanUint():
		return float64(value.Uint()), true
	case value.CanFloat():
		return value.Float(), true
	}
	return 0, false
}

func (r *rule) text(s *huma.Schema) {
	r.size(s.MinLength, s.MaxLength, "character")
	if s.Pattern != "" {
		r.pattern = regexp.MustCompile(s.Pattern)
		r.say.pattern = "must match " + s.Pattern
		if s.PatternDescription != "" {
			r.say.pattern = "must be " + s.PatternDescription
		}
	}
	r.format, r.say.format = formatOf(s)
	if len(s.Enum) > 0 {
		r.texts = make(map[string]bool, len(s.Enum))
	}
	for _, one := range s.Enum {
		r.texts[fmt.Sprint(one)] = true
	}
	r.enum(s)
}

func (r *rule) enum(s *huma.Schema) {
	all := make([]string, len(s.Enum))
	for i, one := range s.Enum {
		all[i] = fmt.Sprint(one)
	}
	if len(all) > 0 {
		r.say.enum = "must be one of " + strings.Join(all, ", ")
	}
}

// formatOf answers the check of a text's format. Formats without a check here
// are for the document only.
func formatOf(s *huma.Schema) (func(string) bool, string) {
	switch {
	case s.Format == "date-time":
		return func(text string) bool { _, ok := ParseTime(text); return ok }, timeRule
	case s.Format == "uuid":
		return ids.Valid, "must be a UUID in lower case"
	case s.ContentEncoding == "base64":
		return func(text string) bool { _, err := base64.StdEncoding.Strict().DecodeString(text); return err == nil },
			"must be base64"
	}
	return nil, ""
}

func (r *rule) size(low, high *int, what string) {
	if low != nil {
		r.minLen = *low
	}
	if high != nil {
		r.maxLen = *high
	}
	switch {
	case low != nil && high != nil && *low == *high:
		r.say.size = "must have exactly " + count(*low, what)
	case low != nil && high != nil:
		r.say.size = fmt.Sprintf("must have %d to %s", *low, count(*high, what))
	case low != nil:
		r.say.size = "must have at least " + count(*low, what)
	case high != nil:
		r.say.size = "must have at most " + count(*high, what)
	}
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
