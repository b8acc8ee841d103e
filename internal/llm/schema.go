package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ErrSchema: a schema is not of the subset that all providers take.
var ErrSchema = errors.New("llm: the schema is not of the subset")

// The kinds of values.
const (
	object  = "object"
	array   = "array"
	text    = "string"
	integer = "integer"
	boolean = "boolean"
)

// maxDepth is how deep schemas may nest: providers refuse deeper ones.
const maxDepth = 10

// schema is one value's, with its members in their order: models write them in it.
type schema struct {
	kind     string
	nullable bool
	meaning  string // description
	names    []string
	members  map[string]*schema // of an object; all are required
	items    *schema            // of an array
	maxItems *int
	enum     []string // of a string; with nullable, null as well
	maxRunes *int
	least    *int64 // of an integer
	most     *int64
}

// CheckSchema tells whether a schema is of the subset that Check knows and that all
// providers take: at the root an object; type, which may be a list of one type and
// null; description; for objects properties, required with all of them, and
// additionalProperties false; for arrays items and maxItems; for strings enum (with
// null in it where the type allows null) and maxLength, in code points; for integers
// minimum and maximum; booleans. Every other keyword is refused. The error is
// ErrSchema with the place.
func CheckSchema(raw json.RawMessage) error {
	_, err := readSchema(raw)
	return err
}

func readSchema(raw json.RawMessage) (*schema, error) {
	if !json.Valid(raw) {
		return nil, fmt.Errorf("%w: it is not JSON", ErrSchema)
	}
	s, err := parse(raw, rootPlace, 1)
	if err == nil && (s.kind != object || s.nullable) {
		err = broken(rootPlace, "must be of type object")
	}
	return s, err
}

func broken(place, rule string) error { return fmt.Errorf("%w: %s %s", ErrSchema, place, rule) }

// member is one of an object, with its value as it stands there.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf reads an object's members in their order; false when it is no object, or
// names one twice, which readers of JSON understand in different ways.
func membersOf(raw json.RawMessage) ([]member, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, false
	}
	var out []member
	seen := map[string]bool{}
	for d.More() {
		var m member
		name, err := d.Token()
		if err != nil || d.Decode(&m.value) != nil {
			return nil, false
		}
		m.name, _ = name.(string)
		if seen[m.name] {
			return nil, false
		}
		seen[m.name] = true
		out = append(out, m)
	}
	return out, true
}

// keywords are those of each kind beside type and description.
var keywords = map[string][]string{
	object: {"properties", "required", "additionalProperties"}, array: {"items", "maxItems"},
	text: {"enum", "maxLength"}, integer: {"minimum", "maximum"}, boolean: {},
}

// parse reads the schema of one value.
func parse(raw json.RawMessage, place string, depth int) (*schema, error) {
	list, ok := membersOf(raw)
	if !ok || depth > maxDepth {
		return nil, broken(place, "must be an object with each keyword once, at most 10 deep")
	}
	with := map[string]json.RawMessage{}
	for _, m := range list {
		with[m.name] = m.value
	}
	s := &schema{}
	if !s.readKind(with["type"]) {
		return nil, broken(place, "must have a type of object, array, string, integer or boolean, or a list of one of them and null")
	}
	for _, m := range list {
		if m.name != "type" && m.name != "description" && !slices.Contains(keywords[s.kind], m.name) {
			return nil, broken(place, "has a keyword that is not for its type: "+m.name)
		}
		if !s.readKeyword(m) {
			return nil, broken(place, "has a wrong value for "+m.name)
		}
	}
	switch s.kind {
	case object:
		return s, s.readMembers(with, place, depth)
	case array:
		var err error
		s.items, err = parse(with["items"], place+"[]", depth+1)
		return s, err
	}
	return s, nil
}

// readKind reads a type: a name, or a list of a name and null.
func (s *schema) readKind(raw json.RawMessage) bool {
	var list []string
	if json.Unmarshal(raw, &s.kind) != nil {
		if json.Unmarshal(raw, &list) != nil || len(list) != 2 || list[1] != "null" {
			return false
		}
		s.kind, s.nullable = list[0], true
	}
	return keywords[s.kind] != nil
}

// readKeyword reads a keyword whose value is not a schema.
func (s *schema) readKeyword(m member) bool {
	switch m.name {
	case "description":
		return m.value[0] == '"' && json.Unmarshal(m.value, &s.meaning) == nil
	case "enum":
		return s.readEnum(m.value)
	case "maxItems":
		return json.Unmarshal(m.value, &s.maxItems) == nil && s.maxItems != nil && *s.maxItems >= 0
	case "maxLength":
		return json.Unmarshal(m.value, &s.maxRunes) == nil && s.maxRunes != nil && *s.maxRunes >= 0
	case "minimum":
		return json.Unmarshal(m.value, &s.least) == nil && s.least != nil
	case "maximum":
		return json.Unmarshal(m.value, &s.most) == nil && s.most != nil
	}
	return true
}

// readEnum reads a list of texts, and of null where the value may be null.
func (s *schema) readEnum(raw json.RawMessage) bool {
	var list []*string
	if json.Unmarshal(raw, &list) != nil {
		return false
	}
	null := false
	for _, value := range list {
		if value == nil {
			null = true
			continue
		}
		s.enum = append(s.enum, *value)
	}
	return len(s.enum) > 0 && null == s.nullable
}

// readMembers reads an object's members, all of which must be required.
func (s *schema) readMembers(with map[string]json.RawMessage, place string, depth int) error {
	var required []string
	list, ok := membersOf(with["properties"])
	if !ok || len(list) == 0 || string(with["additionalProperties"]) != "false" || json.Unmarshal(with["required"], &required) != nil {
		return broken(place, "must have properties, required and additionalProperties false")
	}
	s.members = map[string]*schema{}
	for _, m := range list {
		inner, err := parse(m.value, join(place, m.name), depth+1)
		if err != nil {
			return err
		}
		s.names, s.members[m.name] = append(s.names, m.name), inner
	}
	slices.Sort(required)
	if !slices.Equal(required, slices.Sorted(slices.Values(s.names))) {
		return broken(place, "must require all its properties")
	}
	return nil
}
