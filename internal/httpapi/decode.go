package httpapi

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/errs"
)

// errShape is what our JSON types answer for a text that they cannot read; the
// walker has reported it before.
var errShape = errors.New("httpapi: the value has another shape")

// Malformed is the error of a text that is no JSON (T.8).
func Malformed() *errs.Error {
	return &errs.Error{Kind: errs.Invalid, Code: "MALFORMED_JSON", Public: "The body is not one JSON object in UTF-8.",
		Fields: []errs.Field{{Pointer: "", Rule: "must be one JSON object in UTF-8 without NUL"}}}
}

// Decode checks one JSON value against T's schema and reads it. It is for parts
// of a body that are judged on their own, such as the items of a batch (R0.72):
// those are json.RawMessage or Separate[T] in the body's type, and nothing in
// them but broken JSON fails the body. Pointers begin with base.
func Decode[T any](raw []byte, base string) (T, *errs.Error) {
	var value T
	seen := checkJSON(raw, ruleOf(reflect.TypeFor[T]()), base)
	if seen.broken {
		return value, Malformed()
	}
	if len(seen.fields) > 0 {
		return value, errs.Validation(seen.fields...)
	}
	if err := json.Unmarshal(seen.respelled(raw), &value); err != nil {
		return value, misfit(err, base)
	}
	return value, nil
}

// misfit is the error of a value that passed its schema and yet fits no Go
// value: its type is stricter than what its schema says.
func misfit(err error, base string) *errs.Error {
	pointer := base
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		pointer += "/" + strings.ReplaceAll(wrong.Field, ".", "/")
	}
	return errs.Validation(errs.Field{Pointer: pointer, Rule: "must have the form that the schema describes"})
}

var rules sync.Map // of reflect.Type to *rule

func ruleOf(t reflect.Type) *rule {
	if known, ok := rules.Load(t); ok {
		return known.(*rule)
	}
	made, _ := rules.LoadOrStore(t, compileType(t))
	return made.(*rule)
}

// Separate is a part of a body that is checked on its own by its Decode; the
// OpenAPI document shows it as a T.
type Separate[T any] json.RawMessage

// Decode checks and reads the part; pointers begin with base.
func (s Separate[T]) Decode(base string) (T, *errs.Error) { return Decode[T](s, base) }

// MarshalJSON writes the part as it was sent.
func (s Separate[T]) MarshalJSON() ([]byte, error) { return json.RawMessage(s).MarshalJSON() }

// UnmarshalJSON keeps the part as it was sent.
func (s *Separate[T]) UnmarshalJSON(raw []byte) error {
	return (*json.RawMessage)(s).UnmarshalJSON(raw)
}

// Schema is T's, marked for the walker.
func (Separate[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{
		AllOf:      []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, "Item")},
		Extensions: map[string]any{SeparateMark: true},
	}
}
