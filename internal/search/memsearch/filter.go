package memsearch

import (
	"slices"

	"holdfast/internal/search"
)

// condition tells whether a document meets a filter: by its keywords, sorted
// numbers, and by the times of its slot.
type condition func(members []uint32, slot int32) bool

// rule is a filter over a partition's numbers, in two parts that both must hold;
// nil holds for all. What fields alone decide is the same for all documents with
// one set of them.
type rule struct {
	fields condition // does not look at the slot
	times  condition
	timed  []search.Filter // what times is made of
}

// compiler turns filters into rules and notes the keywords that they name.
type compiler struct {
	p     *partition
	asked *alike
}

func (c compiler) compile(filter *search.Filter) rule {
	plain, timed := split(filter)
	r := rule{fields: c.condition(&plain), timed: timed}
	if len(timed) > 0 {
		r.times = c.condition(&search.Filter{All: timed})
	}
	return r
}

// split parts a filter into what fields alone decide and conditions that look at
// times; all of them together are the filter.
func split(f *search.Filter) (plain search.Filter, timed []search.Filter) {
	if !looksAtTimes(f) {
		return *f, nil
	}
	plain = search.Filter{Field: f.Field, In: f.In, Missing: f.Missing}
	for i := range f.All {
		fields, times := split(&f.All[i])
		plain.All = append(plain.All, fields)
		timed = append(timed, times...)
	}
	if slices.ContainsFunc(f.Any, func(o search.Filter) bool { return looksAtTimes(&o) }) {
		timed = append(timed, search.Filter{Any: f.Any})
	} else {
		plain.Any = f.Any
	}
	if f.Not != nil && looksAtTimes(f.Not) {
		timed = append(timed, search.Filter{Not: f.Not})
	} else {
		plain.Not = f.Not
	}
	if f.Time != "" {
		timed = append(timed, search.Filter{Time: f.Time, Missing: f.Missing, Since: f.Since, Before: f.Before})
	}
	return plain, timed
}

func looksAtTimes(f *search.Filter) bool {
	looks := func(o search.Filter) bool { return looksAtTimes(&o) }
	return f.Time != "" || slices.ContainsFunc(f.All, looks) || slices.ContainsFunc(f.Any, looks) ||
		f.Not != nil && looksAtTimes(f.Not)
}

// condition turns a filter into a condition. Nil holds for all.
func (c compiler) condition(filter *search.Filter) condition {
	var parts []condition
	for i := range filter.All {
		parts = appendCondition(parts, c.condition(&filter.All[i]))
	}
	if len(filter.Any) > 0 {
		parts = appendCondition(parts, c.anyOf(filter.Any))
	}
	if filter.Not != nil && !c.p.lacks(filter.Not) {
		parts = append(parts, negate(c.condition(filter.Not)))
	}
	if filter.Field != "" {
		parts = append(parts, c.keywords(filter)...)
	}
	if filter.Time != "" {
		parts = append(parts, c.p.times.compile(filter)...)
	}
	if len(parts) <= 1 {
		return first(parts)
	}
	return func(members []uint32, slot int32) bool {
		return !slices.ContainsFunc(parts, func(c condition) bool { return !c(members, slot) })
	}
}

// lacks tells a filter that holds for no document, since none has a time that it asks
// for.
func (p *partition) lacks(f *search.Filter) bool {
	if f.Time != "" && !f.Missing && len(p.times[f.Time]) == 0 {
		return true
	}
	return slices.ContainsFunc(f.All, func(one search.Filter) bool { return p.lacks(&one) })
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

func never([]uint32, int32) bool { return false }

func negate(c condition) condition {
	if c == nil {
		return never
	}
	return func(members []uint32, slot int32) bool { return !c(members, slot) }
}

// anyOf holds where one of the filters does.
func (c compiler) anyOf(filters []search.Filter) condition {
	var parts []condition
	for i := range filters {
		part := c.condition(&filters[i])
		if part == nil {
			return nil
		}
		parts = append(parts, part)
	}
	return func(members []uint32, slot int32) bool {
		return slices.ContainsFunc(parts, func(c condition) bool { return c(members, slot) })
	}
}

// keywords holds where the field has one of the values, or none. A field without
// values to compare with holds nowhere: an empty list of what is allowed allows
// nothing.
func (c compiler) keywords(filter *search.Filter) []condition {
	var parts []condition
	if filter.Missing {
		present := c.known([]keyword{{field: filter.Field, present: true}})
		parts = append(parts, negate(holds(present)))
	}
	if len(filter.In) > 0 || !filter.Missing {
		keys := make([]keyword, len(filter.In))
		for i, value := range filter.In {
			keys[i] = keyword{field: filter.Field, value: value}
		}
		parts = append(parts, holds(c.known(keys)))
	}
	return parts
}

// known answers the sorted numbers of those keywords that are in use.
func (c compiler) known(keys []keyword) []uint32 {
	var out []uint32
	for _, key := range keys {
		if id, ok := c.p.fields.keywords.find(key); ok {
			c.asked.name(id)
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
	return func(members []uint32, _ int32) bool {
		return slices.ContainsFunc(members, func(id uint32) bool {
			_, ok := slices.BinarySearch(wanted, id)
			return ok
		})
	}
}
