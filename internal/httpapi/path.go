package httpapi

import (
	"net/url"
	"strings"
)

// segment is one part of a path pattern; name is set where it is a parameter.
type segment struct{ literal, name string }

func pattern(path string) []segment {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	out := make([]segment, len(parts))
	for i, part := range parts {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			out[i].name = strings.TrimSuffix(name, "}")
		} else {
			out[i].literal = part
		}
	}
	return out
}

func (in *input) segmentOf(name string) int {
	for i, s := range in.path {
		if s.name == name {
			return i
		}
	}
	return -1
}

// match cuts an escaped path by the route's pattern and decodes the parameters.
// An encoded slash stays inside its segment.
func (in *input) match(escaped string) ([]string, bool) {
	rest := strings.TrimPrefix(escaped, "/")
	values := make([]string, len(in.path))
	for i, s := range in.path {
		part, after, more := strings.Cut(rest, "/")
		if more != (i < len(in.path)-1) {
			return nil, false
		}
		rest = after
		if s.name == "" {
			if part != s.literal {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(part)
		if err != nil || value == "" {
			return nil, false
		}
		values[i] = value
	}
	return values, true
}
