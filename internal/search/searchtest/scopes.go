package searchtest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// in answers the document as one of another scope.
func in(scope tenant.Scope, d search.Document) search.Document {
	d.Scope = scope
	return d
}

var scopeCases = []testCase{
	{"AQueryWithoutScopeIsRefused", func(t *testing.T, x search.Index) {
		for _, scopes := range [][]tenant.Scope{nil, {}, {{}}} {
			_, err := x.Search(t.Context(), search.Query{Scopes: scopes, Text: "kiln", Lexical: 1})
			if !errors.Is(err, search.ErrBadRequest) {
				t.Errorf("error %v", err)
			}
		}
	}},
	{"DocumentsOutsideTheScopesAreNoHits", func(t *testing.T, x search.Index) {
		d := doc("1", 1, "kiln")
		d.Vector, d.Profile = []float32{1, 0, 0, 0}, profile
		put(t, x, d, in(scopeB, d), in(scopeC, d))
		q := search.Query{Text: "kiln", Lexical: 9, Vector: d.Vector, Profile: profile, Semantic: 9}
		hits := ask(t, x, q).Hits
		expect(t, hits, "1")
		if len(hits) == 1 && hits[0].Scope != scopeA {
			t.Errorf("scope %v", hits[0].Scope)
		}
	}},
	{"SeveralScopesAreSearchedTogether", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "kiln"), in(scopeB, doc("2", 1, "kiln door")), in(scopeC, doc("3", 1, "kiln")))
		answer := ask(t, x, search.Query{Scopes: []tenant.Scope{scopeB, scopeA, scopeB}, Text: "kiln", Lexical: 9})
		expectSet(t, answer.Hits, "1", "2")
		if answer.Stats.Documents != 2 || answer.Stats.DF["kiln"] != 2 {
			t.Errorf("stats %+v", answer.Stats)
		}
	}},
	{"DocumentsOutsideTheScopesDoNotInfluenceScores", func(t *testing.T, x search.Index) {
		put(t, x, said("1", "s", "Nora", "kiln door"), said("3", "s", "Emil", "brick"))
		q := search.Query{Text: "kiln brick", Lexical: 9}
		before := ask(t, x, q)
		put(t, x, in(scopeB, said("2", "s", "Nora", "kiln brick kiln")), in(scopeC, said("1", "s", "Nora", "brick")))
		if after := ask(t, x, q); !reflect.DeepEqual(before, after) {
			t.Errorf("%+v became %+v", before, after)
		}
	}},
	{"AnUnknownScopeIsEmpty", func(t *testing.T, x search.Index) {
		answer := ask(t, x, search.Query{Scopes: []tenant.Scope{scopeB}, Text: "kiln", Lexical: 9})
		if len(answer.Hits) != 0 || answer.Stats.Documents != 0 {
			t.Errorf("answer %+v", answer)
		}
	}},
	{"ACancelledSearchFails", func(t *testing.T, x search.Index) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := x.Search(ctx, search.Query{Scopes: []tenant.Scope{scopeA}, Text: "kiln", Lexical: 1})
		if err == nil {
			t.Error("no error")
		}
	}},
}

var filterCases = []testCase{
	{"OnlyDocumentsThatMeetTheFilterAreHits", filters},
	{"FilterDoesNotNarrowStatistics", func(t *testing.T, x search.Index) {
		hidden := doc("2", 2, "kiln oven")
		hidden.Fields = search.Fields{"status": {"hidden"}}
		put(t, x, doc("1", 1, "kiln"), hidden)
		answer := ask(t, x, search.Query{Text: "kiln", Lexical: 9, Filter: search.Filter{Field: "status", Missing: true}})
		expect(t, answer.Hits, "1")
		if answer.Stats.Documents != 2 || answer.Stats.DF["kiln"] != 2 {
			t.Errorf("stats %+v", answer.Stats)
		}
	}},
	{"HiddenDocumentsDoNotDisplaceHits", func(t *testing.T, x search.Index) {
		hidden := doc("9", 2, "kiln kiln")
		hidden.Fields = search.Fields{"status": {"hidden"}}
		hidden.Vector, hidden.Profile = []float32{1, 0, 0, 0}, profile
		seen := doc("1", 1, "one kiln among many other things")
		seen.Vector, seen.Profile = []float32{1, 1, 0, 0}, profile
		put(t, x, seen, hidden)
		expect(t, ask(t, x, search.Query{
			Text: "kiln", Lexical: 1, Vector: hidden.Vector, Profile: profile, Semantic: 1,
			Filter: search.Filter{Not: &search.Filter{Field: "status", In: []string{"hidden"}}},
		}).Hits, "1")
	}},
	{"FilterSeesTheNewestFields", func(t *testing.T, x search.Index) {
		d := doc("1", 1, "kiln")
		d.Fields = search.Fields{"status": {"active"}}
		put(t, x, d)
		d.Sequence, d.Fields = 2, search.Fields{"status": {"superseded"}}
		put(t, x, d)
		active := search.Query{Text: "kiln", Lexical: 9, Filter: search.Filter{Field: "status", In: []string{"active"}}}
		expect(t, ask(t, x, active).Hits)
	}},
}

// filters asks a small table of documents with one filter of each kind.
func filters(t *testing.T, x search.Index) {
	for i, fields := range []search.Fields{
		{"layer": {"run"}, "tag": {"red", "blue"}},
		{"layer": {"user"}, "tag": {"red"}},
		{"layer": {"user"}, "empty": {}},
		nil,
	} {
		d := doc(string(rune('1'+i)), int64(i+1), "kiln")
		d.Fields = fields
		put(t, x, d)
	}
	layer := func(values ...string) search.Filter { return search.Filter{Field: "layer", In: values} }
	red := search.Filter{Field: "tag", In: []string{"red"}}
	user := layer("user")
	for _, c := range []struct {
		name   string
		filter search.Filter
		want   []string
	}{
		{"zero", search.Filter{}, []string{"1", "2", "3", "4"}},
		{"in", red, []string{"1", "2"}},
		{"in several", layer("run", "user"), []string{"1", "2", "3"}},
		{"in unknown", layer("tenant"), nil},
		{"in nothing", search.Filter{Field: "layer"}, nil},
		{"second value", search.Filter{Field: "tag", In: []string{"blue"}}, []string{"1"}},
		{"missing", search.Filter{Field: "tag", Missing: true}, []string{"3", "4"}},
		{"no value", search.Filter{Field: "empty", Missing: true}, []string{"1", "2", "3", "4"}},
		{"missing unknown", search.Filter{Field: "other", Missing: true}, []string{"1", "2", "3", "4"}},
		{"missing and in", search.Filter{Field: "tag", Missing: true, In: []string{"red"}}, nil},
		{"not", search.Filter{Not: &red}, []string{"3", "4"}},
		{"not zero", search.Filter{Not: &search.Filter{}}, nil},
		{"all", search.Filter{All: []search.Filter{red, user}}, []string{"2"}},
		{"any", search.Filter{Any: []search.Filter{red, user}}, []string{"1", "2", "3"}},
		{"any with zero", search.Filter{Any: []search.Filter{red, {}}}, []string{"1", "2", "3", "4"}},
		{"members together", search.Filter{Any: []search.Filter{red, user}, Not: &red, Field: "layer", In: []string{"user"}}, []string{"3"}},
		{"value of another field", search.Filter{Field: "tag", In: []string{"user"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectSet(t, ask(t, x, search.Query{Text: "kiln", Lexical: 9, Filter: c.filter}).Hits, c.want...)
		})
	}
}
