package memsearch

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Filters that look at times in the same way are asked once, whatever they say of
// fields; times that no document has are not asked for at all.
func TestFiltersThatShareTheirTimes(t *testing.T) {
	x, scope := New(clock.NewFixed(start)), tenant.Grant("t", "w")
	for i, kind := range []string{"a", "a", "b", "b", "b"} {
		d := search.Document{Scope: scope, ID: string(rune('1' + i)), Sequence: 1, Text: "kiln", Fields: search.Fields{"kind": {kind}},
			Times: search.Times{"at": start.Add(time.Duration(i) * time.Second)}}
		x.Apply(t.Context(), []search.Op{{Document: d}})
	}
	late := search.Filter{Time: "at", Since: start.Add(time.Second)}
	of := func(kind string, f search.Filter) search.Filter {
		return search.Filter{All: []search.Filter{f, {Field: "kind", In: []string{kind}}}}
	}
	never := search.Filter{Time: "none", Since: start}
	for name, one := range map[string]struct {
		filter search.Filter
		tally  []search.Filter
		hits   int
		counts []int
	}{
		"shared":               {of("a", late), []search.Filter{of("b", late), late, of("a", late), {}}, 1, []int{3, 4, 1, 5}},
		"of no field of its":   {of("c", late), []search.Filter{of("b", late), of("a", late)}, 0, []int{3, 1}},
		"a time that none has": {search.Filter{Not: &never}, []search.Filter{never, {Not: &never}}, 5, []int{0, 5}},
		"all of such a time":   {search.Filter{Not: &search.Filter{All: []search.Filter{late, never}}}, nil, 5, nil},
		"any of such a time":   {search.Filter{Not: &search.Filter{Any: []search.Filter{late, never}}}, nil, 1, nil},
		"missing such a time":  {search.Filter{Not: &search.Filter{Time: "none", Missing: true}}, nil, 0, nil},
	} {
		q := search.Query{Scopes: []tenant.Scope{scope}, Filter: one.filter, Text: "kiln", Lexical: 10}
		for _, f := range one.tally {
			q.Tallies = append(q.Tallies, search.Tally{Filter: f})
		}
		a, err := x.Search(t.Context(), q)
		if err != nil || len(a.Hits) != one.hits || !slices.Equal(a.Tallies, one.counts) {
			t.Errorf("%s: %d hits, tallies %v, %v; want %d, %v", name, len(a.Hits), a.Tallies, err, one.hits, one.counts)
		}
	}
}

// A filter may name more keywords than sets of fields are told apart by.
func TestFiltersOfManyKeywords(t *testing.T) {
	x, scope := New(clock.NewFixed(start)), tenant.Grant("t", "w")
	var named []string
	for i := range 3 * keyBits {
		tag := strconv.Itoa(i)
		d := search.Document{Scope: scope, ID: tag, Sequence: 1, Text: "kiln", Fields: search.Fields{"tag": {tag}, "run": {strconv.Itoa(i % 5)}}}
		x.Apply(t.Context(), []search.Op{{Document: d}})
		named = append(named, tag)
	}
	for _, n := range []int{1, keyBits - 1, keyBits, keyBits + 1, 2 * keyBits} {
		few := search.Filter{Field: "tag", In: named[:n]}
		q := search.Query{Scopes: []tenant.Scope{scope}, Filter: few, Text: "kiln", Lexical: 1000,
			Tallies: []search.Tally{{Filter: search.Filter{Not: &few}}}}
		a, err := x.Search(t.Context(), q)
		if err != nil || len(a.Hits) != n || a.Tallies[0] != len(named)-n {
			t.Errorf("%d named: %d hits, %d others, %v", n, len(a.Hits), a.Tallies[0], err)
		}
	}
}
