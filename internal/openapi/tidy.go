package openapi

import (
	"slices"
	"strings"

	"holdfast/internal/httpapi"
)

// tidy rewrites a value from the inside out.
func tidy(value any) any {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			v[i] = tidy(item)
		}
	case map[string]any:
		for name, item := range v {
			v[name] = tidy(item)
		}
		return schema(v)
	}
	return value
}

// schema rewrites what huma cannot say otherwise: a reference that may be null, a
// list of values that may be null, and our own mark of parts that are checked
// separately, which is nobody else's business.
func schema(s map[string]any) map[string]any {
	if _, marked := s[httpapi.SeparateMark]; marked {
		delete(s, httpapi.SeparateMark)
		if all, ok := s["allOf"].([]any); ok && len(all) == 1 && len(s) == 1 {
			return all[0].(map[string]any)
		}
	}
	types, _ := s["type"].([]any)
	if all, ok := s["allOf"].([]any); ok && len(all) == 1 && slices.Contains(types, any("")) { // of no type but its reference's
		s["$ref"] = all[0].(map[string]any)["$ref"]
		delete(s, "allOf")
	}
	if !slices.Contains(types, any("null")) {
		return s
	}
	if ref, ok := s["$ref"]; ok {
		delete(s, "$ref")
		delete(s, "type")
		s["anyOf"] = []any{map[string]any{"$ref": ref}, map[string]any{"type": "null"}}
	}
	if values, ok := s["enum"].([]any); ok && !slices.Contains(values, nil) {
		s["enum"] = append(values, nil)
	}
	return s
}

// prune drops named schemas that nothing refers to.
func prune(doc map[string]any) {
	components, _ := doc["components"].(map[string]any)
	named, _ := components["schemas"].(map[string]any)
	used := map[string]bool{}
	var visit func(value any)
	visit = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				visit(item)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				name := strings.TrimPrefix(ref, "#/components/schemas/")
				if !used[name] {
					used[name] = true
					visit(named[name])
				}
			}
			for _, item := range v {
				visit(item)
			}
		}
	}
	visit(doc["paths"])
	for name := range named {
		if !used[name] {
			delete(named, name)
		}
	}
}
