package opensearch

import (
	"strings"

	"holdfast/internal/search"
)

// labels writes fields as keywords: name=value for each value, and name alone for
// having any. A document's fields need no mapping of their own that way.
func labels(fields search.Fields) ([]string, error) {
	var out []string
	for name, values := range fields {
		if name == "" || strings.Contains(name, "=") {
			return nil, search.ErrBadRequest
		}
		if len(values) > 0 {
			out = append(out, name)
		}
		for _, value := range values {
			out = append(out, label(name, value))
		}
	}
	return out, nil
}

// maxLabel is the most bytes of a keyword in the engine, less some.
const maxLabel = 8191

// label is a field's value as a keyword; one that is too long stands by its digest.
func label(name, value string) string { return short(name+"="+value, maxLabel) }

// conditions writes a filter as clauses that all must hold; none for the zero
// Filter.
func conditions(f *search.Filter) []object {
	var out []object
	for i := range f.All {
		out = append(out, conditions(&f.All[i])...)
	}
	if len(f.Any) > 0 {
		any := make([]object, len(f.Any))
		for i := range f.Any {
			any[i] = together(conditions(&f.Any[i]))
		}
		out = append(out, object{"bool": object{"should": any, "minimum_should_match": 1}})
	}
	if f.Not != nil {
		out = append(out, not(together(conditions(f.Not))))
	}
	if f.Field != "" {
		out = append(out, fieldConditions(f)...)
	}
	if f.Time != "" {
		out = append(out, timeConditions(f)...)
	}
	return out
}

// fieldConditions holds for none where the filter names no values: an empty list
// of what is allowed allows nothing.
func fieldConditions(f *search.Filter) []object {
	var out []object
	if f.Missing {
		out = append(out, not(object{"term": object{fieldLabels: f.Field}}))
	}
	if len(f.In) > 0 || !f.Missing {
		wanted := make([]string, len(f.In))
		for i, value := range f.In {
			wanted[i] = label(f.Field, value)
		}
		out = append(out, object{"terms": object{fieldLabels: wanted}})
	}
	return out
}

// timeConditions holds where the document's time is within the filter's bounds, or
// where it has none.
func timeConditions(f *search.Filter) []object {
	there := object{"exists": object{"field": timePath(f.Time)}}
	bounds := object{}
	if !f.Since.IsZero() {
		bounds["gte"] = search.Micros(f.Since)
	}
	if !f.Before.IsZero() {
		bounds["lt"] = search.Micros(f.Before)
	}
	var out []object
	if f.Missing {
		out = append(out, not(there))
	}
	switch {
	case len(bounds) > 0:
		out = append(out, object{"range": object{timePath(f.Time): bounds}})
	case !f.Missing:
		out = append(out, there)
	}
	return out
}

// allowed writes what the query's hits must meet.
func allowed(q *search.Query) []object {
	return append(append(conditions(&q.Filter), leftOut(q)...), valid(q)...)
}

// valid leaves out what is over.
func valid(q *search.Query) []object {
	if q.Now.IsZero() {
		return nil
	}
	return []object{not(object{"range": object{fieldUntil: object{"lte": search.Micros(q.Now)}}})}
}

// leftOut leaves out the items that the query names.
func leftOut(q *search.Query) []object {
	if len(q.Without) == 0 {
		return nil
	}
	return []object{not(object{"terms": object{fieldItem: q.Without}})}
}

func not(clause object) object { return object{"bool": object{"must_not": []object{clause}}} }

// together answers one clause for several.
func together(clauses []object) object {
	if len(clauses) == 1 {
		return clauses[0]
	}
	if len(clauses) == 0 {
		return object{"match_all": object{}}
	}
	return object{"bool": object{"filter": clauses}}
}
