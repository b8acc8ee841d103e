package factapi

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/fact"
)

// given is a member that may be left out, or be null, which are two things (R3.14).
type given[T any] struct{ fact.Optional[T] }

// UnmarshalJSON notes that the member was there.
func (g *given[T]) UnmarshalJSON(raw []byte) error {
	g.Set, g.Value = true, nil
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	g.Value = new(T)
	return json.Unmarshal(raw, g.Value)
}

// Schema is T's, or null.
func (given[T]) Schema(r huma.Registry) *huma.Schema {
	s := *r.Schema(reflect.TypeFor[T](), false, "Given")
	s.Nullable = true
	return &s
}
