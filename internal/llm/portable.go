package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// portable writes a schema as it is sent: bounds become words of the description,
// since strict modes refuse their keywords, and what a provider does not enforce
// Check does.
func (s *schema) portable() json.RawMessage {
	var b strings.Builder
	s.write(&b)
	return json.RawMessage(b.String())
}

func (s *schema) write(b *strings.Builder) {
	if s.nullable {
		b.WriteString(`{"type":` + quoted([]string{s.kind, "null"}))
	} else {
		b.WriteString(`{"type":` + quoted(s.kind))
	}
	if meaning := strings.TrimSpace(s.meaning + " " + s.bounds()); meaning != "" {
		b.WriteString(`,"description":` + quoted(meaning))
	}
	switch {
	case s.kind == object:
		s.writeMembers(b)
	case s.kind == array:
		b.WriteString(`,"items":`)
		s.items.write(b)
	case len(s.enum) > 0:
		b.WriteString(`,"enum":` + quoted(s.choices()))
	}
	b.WriteString("}")
}

func (s *schema) writeMembers(b *strings.Builder) {
	b.WriteString(`,"properties":{`)
	for i, name := range s.names {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(quoted(name) + ":")
		s.members[name].write(b)
	}
	b.WriteString(`},"required":` + quoted(s.names) + `,"additionalProperties":false`)
}

// choices are the values of an enum, null last.
func (s *schema) choices() []any {
	var out []any
	for _, value := range s.enum {
		out = append(out, value)
	}
	if s.nullable {
		out = append(out, nil)
	}
	return out
}

// bounds tells a value's bounds in words; empty: it has none.
func (s *schema) bounds() string {
	switch {
	case s.maxItems != nil:
		return fmt.Sprintf("At most %d items.", *s.maxItems)
	case s.maxRunes != nil:
		return fmt.Sprintf("At most %d characters.", *s.maxRunes)
	case s.least != nil && s.most != nil:
		return fmt.Sprintf("From %d to %d.", *s.least, *s.most)
	case s.least != nil:
		return fmt.Sprintf("At least %d.", *s.least)
	case s.most != nil:
		return fmt.Sprintf("At most %d.", *s.most)
	}
	return ""
}

// quoted is a text, or a list of them, as JSON.
func quoted(value any) string {
	raw, err := json.Marshal(value)
	if err != nil { // texts and lists of texts always can be
		return "null"
	}
	return string(raw)
}
