package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// difference is one value that is not as in the template.
type difference struct {
	resource *resource
	at       []string
	want     any
	got      any
}

// property is the resource's property in which the value lies.
func (d difference) property() string { return d.at[0] }

func (d difference) String() string {
	return fmt.Sprintf("%s %s: template %s, deployed %s", d.resource.path(), strings.Join(d.at, "."), short(d.want), short(d.got))
}

func short(v any) string {
	if v == nil {
		return "nothing"
	}
	return fmt.Sprintf("%.200s", whole(v))
}

// diff compares what the template says with what is deployed, leaf by leaf. What
// is deployed beyond the template are defaults and no difference.
func diff(r *resource, want, got object) ([]difference, int) {
	c := comparison{resource: r}
	for _, name := range sortedKeys(want) {
		c.value([]string{name}, want[name], got[name])
	}
	return c.found, c.compared
}

type comparison struct {
	resource *resource
	found    []difference
	compared int
}

func (c *comparison) value(at []string, want, got any) {
	if unread[c.resource.kind+"."+strings.Join(at, ".")] != "" {
		return
	}
	want, got = parsed(want), parsed(got)
	switch w := want.(type) {
	case object:
		g, ok := got.(object)
		if !ok {
			c.differs(at, want, got)
			return
		}
		for _, name := range sortedKeys(w) {
			c.value(append(slices.Clone(at), name), w[name], g[name])
		}
	case []any:
		c.list(at, w, got)
	default:
		c.compared++
		if scalar(want) != scalar(got) || got == nil {
			c.found = append(c.found, difference{c.resource, at, want, got})
		}
	}
}

// list compares in any order: services sort lists as they like. Lists of objects
// are paired by their position once both are sorted.
func (c *comparison) list(at []string, want []any, got any) {
	if _, isText := got.(string); isText && len(want) == 1 {
		got = []any{got} // a policy may say one as a text
	}
	g, ok := got.([]any)
	if !ok || len(g) != len(want) {
		c.differs(at, want, got)
		return
	}
	want, g = ordered(want), ordered(g)
	for i := range want {
		c.value(append(slices.Clone(at), strconv.Itoa(i)), want[i], g[i])
	}
}

func (c *comparison) differs(at []string, want, got any) {
	c.compared++
	c.found = append(c.found, difference{c.resource, at, want, got})
}

// ordered sorts a copy by what its elements look like.
func ordered(list []any) []any {
	out := slices.Clone(list)
	for i := range out {
		out[i] = parsed(out[i])
	}
	slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(whole(a), whole(b)) })
	return out
}

// whole is a value as text, the same for equal values.
func whole(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// parsed reads a text that holds a JSON object: policies and bodies come as either.
func parsed(v any) any {
	s, ok := v.(string)
	if !ok || !strings.HasPrefix(strings.TrimSpace(s), "{") {
		return v
	}
	var o object
	if json.Unmarshal([]byte(s), &o) != nil {
		return v
	}
	return o
}

// scalar is a value without its type: services answer numbers and truths as texts.
func scalar(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
