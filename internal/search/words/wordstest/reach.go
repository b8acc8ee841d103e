package wordstest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

var reachCases = []testCase{
	{"QueriesThatNoIndexAnswersAreRefused", refusedQueries},
	{"OtherScopesAndSpacesAreNotSearched", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "kiln"), in(scopeB, space, doc("1", 1, "kiln")), in(scopeC, space, doc("2", 1, "kiln")), in(scopeA, "shop", doc("3", 1, "kiln")))
		expect(t, x, query("kiln"), "1")
		q := query("kiln")
		q.Scope = scopeC
		expect(t, x, q, "2")
		q.Space = "unknown"
		expect(t, x, q)
	}},
	{"OnlyPathsInTheReachAreHits", reaches},
	{"NothingOutsideTheReachInfluencesTheAnswer", func(t *testing.T, x words.Index) {
		q := query("kiln brick")
		q.Under, q.Not = []string{"", "users/anna/"}, []string{"users/"}
		put(t, x, doc("1", 1, "kiln door"), at("users/anna/", doc("2", 2, "brick kiln")), at("a/", doc("3", 3, "brick")))
		before := ask(t, x, q)
		put(t, x, at("users/ben/", doc("4", 4, "kiln kiln brick"), "t"), at("users/anna2/", doc("5", 5, "kiln")), at("users/", doc("6", 6, "brick")),
			in(scopeA, "shop", doc("7", 7, "kiln")), in(scopeB, space, doc("1", 8, "brick")))
		if after := ask(t, x, q); !reflect.DeepEqual(before, after) {
			t.Errorf("%+v became %+v", before, after)
		}
	}},
	{"AHitHasEveryTag", func(t *testing.T, x words.Index) {
		put(t, x, at("", doc("1", 1, "fig"), "big", "red"), at("a/", doc("2", 2, "fig"), "red"), doc("3", 3, "fig"), at("", doc("4", 4, "fig"), "bigred", "x,big"))
		for _, c := range []struct{ tags, want []string }{
			{nil, []string{"4", "3", "2", "1"}}, {[]string{"red"}, []string{"2", "1"}}, {[]string{"red", "big"}, []string{"1"}},
			{[]string{"red", "red"}, []string{"2", "1"}}, {[]string{"Red"}, nil}, {[]string{""}, nil},
		} {
			q := query("fig")
			q.Tags = c.tags
			expect(t, x, q, c.want...)
		}
	}},
	{"TagsDoNotNarrowTheStatistics", func(t *testing.T, x words.Index) {
		put(t, x, at("", doc("1", 1, "fig tree"), "red"), doc("2", 2, "fig"))
		q := query("fig")
		q.Tags = []string{"red"}
		if s := ask(t, x, q).Statistics; s.Documents != 2 || s.Length != 3 || !slices.Equal(s.DF, []int{2}) {
			t.Errorf("statistics %+v", s)
		}
	}},
	{"WhatIsLeftOutIsNoHitButInTheStatistics", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "kiln"), doc("2", 2, "kiln"))
		q := query("kiln")
		q.Without = []string{"2", "unknown"}
		expect(t, x, q, "1")
		if s := ask(t, x, q).Statistics; s.Documents != 2 || s.DF[0] != 2 {
			t.Errorf("statistics %+v", s)
		}
	}},
	{"ACancelledSearchFails", func(t *testing.T, x words.Index) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := x.Search(ctx, query("kiln")); err == nil {
			t.Error("no error")
		}
	}},
}

func refusedQueries(t *testing.T, x words.Index) {
	for name, change := range map[string]func(*words.Query){
		"no scope":       func(q *words.Query) { q.Scope = tenant.Scope{} },
		"no space":       func(q *words.Query) { q.Space = "" },
		"no limit":       func(q *words.Query) { q.Limit = 0 },
		"too many words": func(q *words.Query) { q.Words = make([]string, words.MaxWords+1) },
		"an empty word":  func(q *words.Query) { q.Words = []string{""} },
		"a bad prefix":   func(q *words.Query) { q.Under = []string{"a"} },
		"a bad border":   func(q *words.Query) { q.Not = []string{"/"} },
	} {
		q := query("kiln")
		change(&q)
		if _, err := x.Search(t.Context(), q); !errors.Is(err, words.ErrBadRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func reaches(t *testing.T, x words.Index) {
	for i, path := range []string{"", "companies/7/", "companies/77/", "companies/7/deep/", "users/anna/", "users/anna/x/", "users/ben/", "users/"} {
		put(t, x, at(path, doc(decimal(i), int64(i+1), "kiln")))
	}
	for _, c := range []struct {
		name             string
		under, not, want []string
	}{
		{"nothing", nil, nil, nil},
		{"everything", []string{""}, nil, []string{"7", "6", "5", "4", "3", "2", "1", "0"}},
		{"whole segments", []string{"companies/7/"}, nil, []string{"3", "1"}},
		{"a folder without facts of its own", []string{"companies/"}, nil, []string{"3", "2", "1"}},
		{"several", []string{"companies/7/deep/", "companies/77/"}, nil, []string{"3", "2"}},
		{"one in another", []string{"companies/7/deep/", "companies/"}, nil, []string{"3", "2", "1"}},
		{"the same twice", []string{"companies/77/", "companies/77/"}, nil, []string{"2"}},
		{"unknown", []string{"companies/8/"}, nil, nil},
		{"without the users'", []string{""}, []string{"users/"}, []string{"3", "2", "1", "0"}},
		{"with one user's", []string{"", "users/anna/"}, []string{"users/"}, []string{"5", "4", "3", "2", "1", "0"}},
		{"one user's only", []string{"users/anna/"}, []string{"users/"}, []string{"5", "4"}},
		{"a part of it", []string{"users/anna/x/"}, []string{"users/"}, []string{"5"}},
		{"less a part of it", []string{"users/anna/"}, []string{"users/", "users/anna/x/"}, []string{"4"}},
		{"in both", []string{"companies/"}, []string{"companies/"}, nil},
		{"in both, and the root", []string{"", "companies/"}, []string{"companies/", "users/"}, []string{"0"}},
		{"out in out in", []string{"", "companies/7/"}, []string{"companies/", "companies/7/deep/", "users/"}, []string{"1", "0"}},
		{"nothing but borders", nil, []string{"users/"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := query("kiln")
			q.Under, q.Not = c.under, c.not
			expect(t, x, q, c.want...)
		})
	}
}
