package searchtest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

var epoch = time.Date(2031, 4, 5, 6, 7, 8, 0, time.UTC)

// ending makes a document with a vector that is over from an instant on.
func ending(id string, until time.Time) search.Document {
	d := embedded(id, 1, 0, 0, 0)
	d.Text, d.Until = "kiln", until
	return d
}

// bothArms asks for kilns.
func bothArms(most int) search.Query {
	q := nearTo(most, 1, 0, 0, 0)
	q.Text, q.Lexical = "kiln", most
	return q
}

var numberCases = []testCase{
	{"ADocumentWhoseUntilIsNotAfterNowIsNoHit", func(t *testing.T, x search.Index) {
		put(t, x, ending("1", time.Time{}), ending("2", epoch.Add(time.Hour)), ending("3", epoch), ending("4", epoch.Add(-time.Hour)),
			ending("5", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)), ending("6", time.Date(2, 1, 1, 0, 0, 0, 0, time.UTC)))
		for name, q := range map[string]search.Query{
			"both": bothArms(9), "lexical": {Text: "kiln", Lexical: 9}, "semantic": nearTo(9, 1, 0, 0, 0),
		} {
			t.Run(name, func(t *testing.T) {
				q.Now = epoch
				expectSet(t, ask(t, x, q).Hits, "1", "2", "5")
			})
		}
	}},
	{"TheZeroNowTakesAll", func(t *testing.T, x search.Index) {
		put(t, x, ending("1", time.Time{}), ending("2", epoch))
		expectSet(t, ask(t, x, bothArms(9)).Hits, "1", "2")
	}},
	{"WhatIsOverDoesNotDisplaceHits", func(t *testing.T, x search.Index) {
		live := ending("00", epoch.Add(time.Second))
		live.Text, live.Vector = "one kiln among many other things", []float32{1, 1, 0, 0}
		docs := []search.Document{live}
		for i := range 30 {
			docs = append(docs, ending(fmt.Sprintf("%02d", i+1), epoch))
		}
		put(t, x, docs...)
		q := bothArms(1)
		q.Now = epoch
		expect(t, ask(t, x, q).Hits, "00")
	}},
	{"AnUpdateMovesTheEnd", func(t *testing.T, x search.Index) {
		put(t, x, ending("1", epoch))
		q := bothArms(9)
		q.Now = epoch
		expect(t, ask(t, x, q).Hits)
		again := ending("1", time.Time{})
		again.Sequence = 2
		put(t, x, again)
		expect(t, ask(t, x, q).Hits, "1")
	}},
	{"DocumentsLeftOutByIDAreNoHitsButInTheStatistics", func(t *testing.T, x search.Index) {
		put(t, x, ending("1", time.Time{}), ending("2", time.Time{}), in(scopeB, ending("2", time.Time{})))
		q := bothArms(9)
		q.Scopes, q.Without = []tenant.Scope{scopeA, scopeB}, []string{"2", "unknown"}
		q.Tallies = []search.Tally{{}}
		answer := ask(t, x, q)
		expect(t, answer.Hits, "1")
		if answer.Stats.Documents != 3 || answer.Stats.DF["kiln"] != 3 || !slices.Equal(answer.Tallies, []int{1}) {
			t.Errorf("%+v", answer)
		}
	}},
	{"TalliesCountWhatLimitsCut", tallies},
	{"TooManyTalliesAreRefused", func(t *testing.T, x search.Index) {
		q := bothArms(1)
		q.Scopes, q.Tallies = []tenant.Scope{scopeA}, make([]search.Tally, search.MaxTallies+1)
		if _, err := x.Search(t.Context(), q); !errors.Is(err, search.ErrBadRequest) {
			t.Errorf("error %v", err)
		}
		q.Tallies = q.Tallies[1:]
		if answer := ask(t, x, q); len(answer.Tallies) != search.MaxTallies {
			t.Errorf("%d tallies", len(answer.Tallies))
		}
	}},
	{"UnembeddedCountsWhatCameWithoutAVectorOfTheProfile", unembedded},
}

func tallies(t *testing.T, x search.Index) {
	var docs []search.Document
	for i := range 40 {
		d := ending(fmt.Sprintf("%02d", i), time.Time{})
		d.Fields = search.Fields{"layer": {[]string{"run", "user"}[i%2]}}
		switch {
		case i < 10: // known to the lexical arm alone
			d.Vector, d.Profile = nil, ""
		case i < 30: // to the semantic arm alone
			d.Text = "brick"
		}
		if i%4 == 0 {
			d.Until = epoch
		}
		docs = append(docs, d)
	}
	put(t, x, docs...)
	user := search.Filter{Field: "layer", In: []string{"user"}}
	for _, c := range []struct {
		name string
		q    search.Query
		want []int
	}{
		{"both", bothArms(3), []int{30, 40, 20}},
		{"lexical", search.Query{Text: "kiln", Lexical: 3}, []int{15, 20, 10}},
		{"semantic", nearTo(3, 1, 0, 0, 0), []int{23, 30, 15}},
		{"without a direction", nearTo(3, 0, 0, 0, 0), []int{0, 0, 0}},
		{"without words", search.Query{Text: "the", Lexical: 3}, []int{0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.Now, c.q.Filter = epoch, search.Filter{Field: "layer", In: []string{"none"}}
			c.q.Tallies = []search.Tally{{}, {Over: true}, {Filter: user}}
			if got := ask(t, x, c.q).Tallies; !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func unembedded(t *testing.T, x search.Index) {
	other := ending("3", time.Time{})
	other.Profile = "other-4-v1"
	blank := ending("4", time.Time{})
	blank.Vector = make([]float32, 4)
	plain, past := doc("2", 1, "brick"), doc("5", 1, "brick")
	past.Until = epoch
	hidden := doc("6", 1, "brick")
	hidden.Fields = search.Fields{"status": {"hidden"}}
	put(t, x, ending("1", time.Time{}), plain, other, blank, past, hidden, in(scopeB, plain))
	q := nearTo(9, 1, 0, 0, 0)
	q.Now, q.Filter = epoch, search.Filter{Field: "status", Missing: true}
	expectUnembedded := func(q search.Query, want int) {
		t.Helper()
		if got := ask(t, x, q).Unembedded; got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	expectUnembedded(q, 2)
	q.Without = []string{"2"}
	expectUnembedded(q, 1)
	q.Without, q.Now = nil, time.Time{}
	expectUnembedded(q, 3)
	q.Vector = make([]float32, 4)
	expectUnembedded(q, 3)
	q.Profile = "unknown"
	expectUnembedded(q, 5)
	expectUnembedded(search.Query{Text: "kiln", Lexical: 9}, 0)
	apply(t, x, remove("4", 2), remove("1", 2))
	expectUnembedded(q, 3)
}
