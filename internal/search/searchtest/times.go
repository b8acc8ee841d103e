package searchtest

import (
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// dated makes a document that both arms know, with one time.
func dated(id, name string, at time.Time) search.Document {
	d := ending(id, time.Time{})
	d.Times = search.Times{name: at}
	return d
}

// shown makes a document that shows an item.
func shown(id, item string) search.Document {
	d := ending(id, time.Time{})
	d.Item = item
	return d
}

// between asks both arms for what has the time within bounds.
func between(name string, since, before time.Time) search.Query {
	q := bothArms(9)
	q.Filter = search.Filter{Time: name, Since: since, Before: before}
	return q
}

var timeCases = []testCase{
	{"AHitTellsTheItemWhoseTextItIs", func(t *testing.T, x search.Index) {
		put(t, x, ending("1", time.Time{}), shown("2", "2"), shown("3", "1"), shown("3.1", "3"))
		want := map[string]string{"1": "1", "2": "2", "3": "1", "3.1": "3"}
		for name, q := range map[string]search.Query{
			"both": bothArms(9), "lexical": {Text: "kiln", Lexical: 9}, "semantic": nearTo(9, 1, 0, 0, 0),
		} {
			hits := ask(t, x, q).Hits
			for _, h := range hits {
				if h.Item != want[h.ID] {
					t.Errorf("%s: document %s is of item %q, want %q", name, h.ID, h.Item, want[h.ID])
				}
			}
			expectSet(t, hits, "1", "2", "3", "3.1")
		}
	}},
	{"WithoutNamesItems", func(t *testing.T, x search.Index) {
		other := in(scopeB, shown("9", "1"))
		put(t, x, ending("1", time.Time{}), shown("2", "1"), shown("3", "1"), ending("4", time.Time{}), shown("5", "4"), shown("6", "2"), other)
		q := bothArms(9)
		q.Scopes, q.Without, q.Tallies = []tenant.Scope{scopeA, scopeB}, []string{"1", "3", "5", "unknown"}, []search.Tally{{}}
		answer := ask(t, x, q)
		expectSet(t, answer.Hits, "4", "5", "6")
		if answer.Stats.Documents != 7 || answer.Stats.DF["kiln"] != 7 || !slices.Equal(answer.Tallies, []int{3}) {
			t.Errorf("%+v", answer)
		}
		apply(t, x, remove("2", 2))
		again := shown("4", "2")
		again.Sequence = 2
		put(t, x, again)
		q.Without = []string{"2", "4"}
		expectSet(t, ask(t, x, q).Hits, "1", "3", "9")
	}},
	{"ATimeHoldsFromSinceUpToBefore", func(t *testing.T, x search.Index) {
		hour := func(n int) time.Time { return epoch.Add(time.Duration(n) * time.Hour) }
		put(t, x, dated("1", "begun", hour(1)), dated("2", "begun", hour(2)), dated("3", "begun", hour(3)), dated("4", "ended", hour(2)),
			ending("5", time.Time{}), dated("6", "begun", time.Time{}), dated("7", "begun", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)))
		for _, c := range []struct {
			q    search.Query
			want []string
		}{
			{between("begun", hour(2), time.Time{}), []string{"2", "3", "7"}},
			{between("begun", time.Time{}, hour(2)), []string{"1", "6"}},
			{between("begun", hour(1), hour(3)), []string{"1", "2"}},
			{between("begun", hour(2), hour(2)), nil},
			{between("begun", time.Time{}, time.Time{}), []string{"1", "2", "3", "6", "7"}},
			{between("begun", time.Date(1200, 1, 1, 0, 0, 0, 0, time.UTC), hour(9)), []string{"1", "2", "3"}},
			{between("ended", hour(2), hour(3)), []string{"4"}},
			{between("unknown", time.Time{}, time.Time{}), nil},
		} {
			expectSet(t, ask(t, x, c.q).Hits, c.want...)
		}
	}},
	{"TimesAreComparedInWholeMicrosecondsRoundedDown", func(t *testing.T, x search.Index) {
		put(t, x, dated("1", "begun", epoch), dated("2", "begun", epoch.Add(999)), dated("3", "begun", epoch.Add(1000)),
			dated("4", "begun", epoch.Add(-1)))
		for _, at := range []time.Time{epoch, epoch.Add(999)} {
			expectSet(t, ask(t, x, between("begun", at, time.Time{})).Hits, "1", "2", "3")
			expectSet(t, ask(t, x, between("begun", time.Time{}, at)).Hits, "4")
		}
		early := time.Date(1969, 12, 31, 23, 59, 59, 999_999_001, time.UTC) // before 1970 down is earlier still
		put(t, x, dated("5", "met", early))
		expectSet(t, ask(t, x, between("met", early.Add(-1), early.Add(999))).Hits, "5")
	}},
	{"TimesAndFieldsCombine", combined},
	{"AnUpdateReplacesTheTimes", func(t *testing.T, x search.Index) {
		put(t, x, dated("1", "begun", epoch), dated("2", "begun", epoch))
		next := dated("1", "ended", epoch)
		next.Sequence = 2
		put(t, x, next)
		apply(t, x, remove("2", 2))
		put(t, x, ending("3", time.Time{}))
		expect(t, ask(t, x, between("begun", time.Time{}, time.Time{})).Hits)
		expect(t, ask(t, x, between("ended", time.Time{}, time.Time{})).Hits, "1")
	}},
	{"WhatTimesForbidDisplacesNoHits", func(t *testing.T, x search.Index) {
		live := dated("00", "begun", epoch)
		live.Text, live.Vector = "one kiln among many other things", []float32{1, 1, 0, 0}
		docs := []search.Document{live}
		for i := range 30 {
			docs = append(docs, dated(string(rune('A'+i)), "begun", epoch.Add(time.Hour)))
		}
		put(t, x, docs...)
		q := between("begun", time.Time{}, epoch.Add(time.Hour))
		q.Lexical, q.Semantic = 1, 1
		expect(t, ask(t, x, q).Hits, "00")
	}},
	{"NumbersFollowTheTimes", func(t *testing.T, x search.Index) {
		plain := doc("4", 1, "kiln")
		plain.Times = search.Times{"begun": epoch}
		late := doc("5", 1, "kiln")
		late.Times = search.Times{"begun": epoch.Add(time.Hour)}
		q := between("begun", time.Time{}, epoch.Add(time.Minute))
		q.Tallies = []search.Tally{{Filter: q.Filter}, {Filter: search.Filter{Time: "begun", Missing: true}}, {}}
		put(t, x, dated("1", "begun", epoch), dated("2", "begun", epoch.Add(time.Hour)), ending("3", time.Time{}))
		if got := ask(t, x, q).Tallies; !slices.Equal(got, []int{1, 1, 3}) {
			t.Errorf("%v where each document has a vector", got)
		}
		put(t, x, plain, late)
		answer := ask(t, x, q)
		expectSet(t, answer.Hits, "1", "4")
		if !slices.Equal(answer.Tallies, []int{2, 1, 5}) || answer.Unembedded != 1 || answer.Stats.Documents != 5 {
			t.Errorf("%+v", answer)
		}
	}},
}

// combined asks a small table of documents with one filter of each kind.
func combined(t *testing.T, x search.Index) {
	begun := func(since, before time.Time) search.Filter {
		return search.Filter{Time: "begun", Since: since, Before: before}
	}
	noon, evening := epoch.Add(time.Hour), epoch.Add(2*time.Hour)
	for i, d := range []search.Document{
		dated("1", "begun", epoch), dated("2", "begun", noon), dated("3", "ended", noon), ending("4", time.Time{}),
	} {
		d.Fields = search.Fields{"layer": {[]string{"run", "user"}[i%2]}}
		put(t, x, d)
	}
	early := begun(time.Time{}, noon)
	user := search.Filter{Field: "layer", In: []string{"user"}}
	missing := search.Filter{Time: "begun", Missing: true}
	for _, c := range []struct {
		name   string
		filter search.Filter
		want   []string
	}{
		{"missing", missing, []string{"3", "4"}},
		{"missing and within", search.Filter{Time: "begun", Missing: true, Since: epoch}, nil},
		{"missing unknown", search.Filter{Time: "other", Missing: true}, []string{"1", "2", "3", "4"}},
		{"not", search.Filter{Not: &early}, []string{"2", "3", "4"}},
		{"not missing", search.Filter{Not: &missing}, []string{"1", "2"}},
		{"all", search.Filter{All: []search.Filter{user, begun(epoch, evening)}}, []string{"2"}},
		{"any", search.Filter{Any: []search.Filter{user, early}}, []string{"1", "2", "4"}},
		{"open end", search.Filter{Any: []search.Filter{missing, begun(noon, time.Time{})}}, []string{"2", "3", "4"}},
		{"field and time", search.Filter{Field: "layer", In: []string{"user"}, Time: "begun", Since: epoch}, []string{"2"}},
		{"neither field nor time", search.Filter{Field: "tag", Time: "begun", Missing: true}, []string{"3", "4"}},
		{"deeper", search.Filter{All: []search.Filter{{All: []search.Filter{{Not: &user}, {Any: []search.Filter{{}, early}}}}, {Time: "begun"}}}, []string{"1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := bothArms(9)
			q.Filter = c.filter
			expectSet(t, ask(t, x, q).Hits, c.want...)
		})
	}
}
