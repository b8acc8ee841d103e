package llm

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// rootPlace is the place of the whole answer.
const rootPlace = "answer"

// maxViolations are as many as are told of one answer.
const maxViolations = 8

// Violation is a rule of a schema that an answer breaks.
type Violation struct {
	Place string // such as statements[3].text, in the schema's own names
	Rule  string // such as: must have at most 200 characters
}

// Violations are the first rules that an answer breaks, at most 8, as an error. It
// holds the schema's words and no value and no name of the answer's, so that it can
// be logged and told to the model as a task's Repair.
type Violations []Violation

// Error tells place and rule of each.
func (v Violations) Error() string {
	var all []string
	for _, one := range v {
		all = append(all, one.Place+" "+one.Rule)
	}
	return "the answer does not follow the schema: " + strings.Join(all, "; ")
}

// Check holds an answer to a schema of the subset. Its error is Violations, or
// ErrSchema when the schema is not of the subset. It is stricter than JSON Schema in
// three ways, for those who read the answer into Go types: no object may name a member
// twice, an integer must be written as one and fit 64 bits, and only what the schema
// names may be there.
func Check(schema, answer json.RawMessage) error {
	s, err := readSchema(schema)
	if err != nil {
		return err
	}
	var c checker
	if json.Valid(answer) {
		c.value(s, bytes.TrimSpace(answer), rootPlace)
	} else {
		c.add(rootPlace, "must be JSON")
	}
	if len(c.found) > 0 {
		return c.found
	}
	return nil
}

type checker struct{ found Violations }

func (c *checker) add(place, rule string) {
	if len(c.found) < maxViolations {
		c.found = append(c.found, Violation{place, rule})
	}
}

// value checks one value, which is valid JSON.
func (c *checker) value(s *schema, raw json.RawMessage, place string) {
	if string(raw) == "null" && s.nullable {
		return
	}
	switch s.kind {
	case object:
		c.object(s, raw, place)
	case array:
		c.array(s, raw, place)
	case text:
		c.text(s, raw, place)
	case integer:
		c.integer(s, raw, place)
	case boolean:
		if string(raw) != "true" && string(raw) != "false" {
			c.add(place, "must be true or false"+s.orNull())
		}
	}
}

func (s *schema) orNull() string {
	if s.nullable {
		return ", or null"
	}
	return ""
}

func (c *checker) object(s *schema, raw json.RawMessage, place string) {
	list, ok := membersOf(raw)
	if !ok {
		c.add(place, "must be an object that names each member once"+s.orNull())
		return
	}
	there, unknown := map[string]bool{}, false
	for _, m := range list {
		inner := s.members[m.name]
		if inner == nil {
			unknown = true
			continue
		}
		there[m.name] = true
		c.value(inner, m.value, join(place, m.name))
	}
	if unknown {
		c.add(place, "must have no members but "+strings.Join(s.names, ", "))
	}
	for _, name := range s.names {
		if !there[name] {
			c.add(join(place, name), "is missing")
		}
	}
}

func (c *checker) array(s *schema, raw json.RawMessage, place string) {
	var list []json.RawMessage
	if string(raw) == "null" || json.Unmarshal(raw, &list) != nil {
		c.add(place, "must be an array"+s.orNull())
		return
	}
	if s.maxItems != nil && len(list) > *s.maxItems {
		c.add(place, "must have at most "+strconv.Itoa(*s.maxItems)+" items")
		list = list[:*s.maxItems]
	}
	for i, item := range list {
		c.value(s.items, item, place+"["+strconv.Itoa(i)+"]")
	}
}

func (c *checker) text(s *schema, raw json.RawMessage, place string) {
	var value *string
	if json.Unmarshal(raw, &value) != nil || value == nil {
		c.add(place, "must be a text"+s.orNull())
		return
	}
	if s.enum != nil && !slices.Contains(s.enum, *value) {
		c.add(place, "must be one of "+strings.Join(s.enum, ", ")+s.orNull())
	}
	if s.maxRunes != nil && utf8.RuneCountInString(*value) > *s.maxRunes {
		c.add(place, "must have at most "+strconv.Itoa(*s.maxRunes)+" characters")
	}
}

func (c *checker) integer(s *schema, raw json.RawMessage, place string) {
	value, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		c.add(place, "must be a whole number"+s.orNull())
		return
	}
	if s.least != nil && value < *s.least {
		c.add(place, "must be at least "+strconv.FormatInt(*s.least, 10))
	}
	if s.most != nil && value > *s.most {
		c.add(place, "must be at most "+strconv.FormatInt(*s.most, 10))
	}
}

// join is the place of a member. The members of the whole answer have their names
// alone.
func join(place, name string) string {
	if place == rootPlace {
		return name
	}
	return place + "." + name
}
