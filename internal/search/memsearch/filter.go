package memsearch

import (
	"slices"

	"holdfast/internal/search"
)

// condition tells whether a set of keywords, sorted numbers, meets a filter.
type condition func(members []uint32) bool

// compile turns a filter into a condition over the partition's numbers. Nil holds
// for all.
func (f *fieldSets) compile(filter *search.Filter) condition {
	var parts []condition
	for i := range filter.All {
		parts = appendCondition(parts, f.compile(&filter.All[i]))
	}
	if len(filter.Any) > 0 {
		parts = appendCondition(parts, f.compileAny(filter.Any))
	}
	if filter.Not != nil {
		parts = append(parts, negate(f.compile(filter.Not)))
	}
	if filter.Field != "" {
		parts = append(parts, f.compileField(filter)...)
	}
	if len(parts) <= 1 {
		return first(parts)
	}
	return func(members []uint32) bool {
		return !slices.ContainsFunc(parts, func(c condition) bool { return !c(members) })
	}
}

func appendCondition(parts []condition, c condition) []condition {
	if c == nil {
		return parts
	}
	return append(parts, c)
}

func first(parts []condition) condition {
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

func never([]uint32) bool { return false }

func negate(c condition) condition {
	if c == nil {
		return never
	}
	return func(members []uint32) bool { return !c(members) }
}

// compileAny holds where one of the filters does.
func (f *fieldSets) compileAny(filters []search.Filter) condition {
	var parts []condition
	for i := range filters {
		c := f.compile(&filters[i])
		if c == nil {
			return nil
		}
		parts = append(parts, c)
	}
	return func(members []uint32) bool {
		return slices.ContainsFunc(parts, func(c condition) bool { return c(members) })
	}
}

// compileField holds where the field has one of the values, or none. A field
// without values to compare with holds nowhere: an empty list of what is allowed
// allows nothing.
func (f *fieldSets) compileField(filter *search.Filter) []condition {
	var parts []condition
	if filter.Missing {
		present := f.known([]keyword{{field: filter.Field, present: true}})
		parts = append(parts, negate(holds(present)))
	}
	if len(filter.In) > 0 || !filter.Missing {
		keys := make([]keyword, len(filter.In))
		for i, value := range filter.In {
			keys[i] = keyword{field: filter.Field, value: value}
		}
		parts = append(parts, holds(f.known(keys)))
	}
	return parts
}

// known answers the sorted numbers of those keywords that are in use.
func (f *fieldSets) known(keys []keyword) []uint32 {
	var out []uint32
	for _, key := range keys {
		if id, ok := f.keywords.find(key); ok {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// holds tells whether a set has one of the numbers.
func holds(wanted []uint32) condition {
	if len(wanted) == 0 {
		return never
	}
	return func(members []uint32) bool {
		return slices.ContainsFunc(members, func(id uint32) bool {
			_, ok := slices.BinarySearch(wanted, id)
			return ok
		})
	}
}
