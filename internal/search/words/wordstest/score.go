package wordstest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"holdfast/internal/search/words"
)

func decimal(n int) string { return strconv.Itoa(n) }

var scoreCases = []testCase{
	{"MoreDistinctWordsComeFirst", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "alpha beta and a great many other words in a long text of all kinds"), doc("2", 2, "alpha alpha alpha"), doc("3", 3, "beta"))
		expect(t, x, query("alpha beta alpha"), "1", "3", "2")
	}},
	{"TheRarerWordWeighsMore", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "rare thing"), doc("2", 2, "common thing"), doc("3", 3, "common thing"), doc("4", 4, "common thing"))
		expect(t, x, query("common rare"), "1", "4", "3", "2")
	}},
	{"TheShorterTextWeighsMore", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "kiln"), doc("2", 2, "kiln of the old house"), doc("3", 3, "kiln kiln"))
		expect(t, x, query("kiln"), "1", "3", "2")
	}},
	{"TiesAreNewestFirstThenTheLargerID", func(t *testing.T, x words.Index) {
		old, soon := doc("9", 1, "kiln aaaa"), doc("3", 4, "kiln dddd")
		old.Updated, soon.Updated = epoch.Add(-time.Hour), epoch.Add(time.Microsecond)
		same := doc("5", 2, "kiln bbbb")
		same.Updated = epoch
		also := doc("4", 3, "kiln cccc")
		also.Updated = epoch.Add(999 * time.Nanosecond)
		put(t, x, same, soon, also, old)
		expect(t, x, query("kiln"), "3", "5", "4", "9")
	}},
	{"ScoresAreThoseOfTheFormula", func(t *testing.T, x words.Index) {
		docs := []words.Document{
			doc("1", 1, "The kiln needs a new door"), doc("2", 2, "door, door, door!"), doc("3", 3, "kilns and doors"), at("a/", doc("4", 4, "brick")),
		}
		put(t, x, docs...)
		r := Reference{Documents: docs}
		for _, text := range []string{"kiln door brick", "k", "door", "zebra kiln"} {
			q := query(text)
			compare(t, ask(t, x, q), r, q)
		}
		hit := ask(t, x, query("kiln door zebra")).Hits[0]
		if hit.ID != "3" || hit.Matched != 2 || hit.Score <= 2 || hit.Score >= 3 {
			t.Errorf("%+v", hit)
		}
	}},
	{"ThePrefixIsCountedOnceADocument", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "door doors doorbell"), doc("2", 2, "door"), doc("3", 3, "wall"))
		if s := ask(t, x, query("door wal")).Statistics; s.Documents != 3 || s.Length != 5 || !slices.Equal(s.DF, []int{2, 1}) {
			t.Errorf("statistics %+v", s)
		}
	}},
}

var answerCases = []testCase{
	{"AtMostTheLimitIsAnswered", func(t *testing.T, x words.Index) {
		for i := range 30 {
			put(t, x, doc(fmt.Sprintf("%02d", i), int64(i+1), "kiln"))
		}
		q := query("kiln")
		for _, limit := range []int{1, 3} {
			q.Limit = limit
			expect(t, x, q, []string{"29", "28", "27"}[:limit]...)
		}
		q.Limit = 1000
		if hits := ask(t, x, q).Hits; len(hits) != 30 {
			t.Errorf("%d hits", len(hits))
		}
	}},
	{"WhatIsOutOfReachDoesNotDisplaceHits", func(t *testing.T, x words.Index) {
		put(t, x, at("a/", doc("00", 1, "one kiln among many other things"), "t"))
		for i := range 40 {
			put(t, x, at("b/", doc(fmt.Sprintf("x%02d", i), int64(i+2), "kiln"), "t"), at("a/", doc(fmt.Sprintf("y%02d", i), int64(i+2), "kiln")))
		}
		q := query("kiln")
		q.Under, q.Tags, q.Limit = []string{"a/"}, []string{"t"}, 1
		expect(t, x, q, "00")
	}},
	{"AgreesWithNaiveEvaluation", func(t *testing.T, x words.Index) { Agree(t, x, 7, 60) }},
}

// compare holds an answer against the naive evaluation.
func compare(t *testing.T, got words.Answer, r Reference, q words.Query) {
	t.Helper()
	if want := r.Statistics(q); want.Documents != got.Statistics.Documents || want.Length != got.Statistics.Length || !slices.Equal(want.DF, got.Statistics.DF) {
		t.Errorf("%+v: statistics %+v, want %+v", q, got.Statistics, want)
	}
	want := r.Hits(q)
	if len(got.Hits) != len(want) {
		t.Fatalf("%+v: %d hits, want %d", q, len(got.Hits), len(want))
	}
	for i, h := range got.Hits {
		if w := want[i]; h.ID != w.ID || h.Matched != w.Matched || math.Abs(h.Score-w.Score) > 1e-9 {
			t.Errorf("%+v: hit %d is %+v, want %+v", q, i, h, w)
		}
	}
}
