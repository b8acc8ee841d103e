package searchtest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// talk is a conversation of two people with a break in it.
var talk = []search.Document{
	said("01", "s1", "Nora", "The glazing oven broke on Monday."),
	said("02", "s1", "Emil", "Which part of the oven?"),
	said("03", "s1", "Nora", "Its door, the hinge."),
	said("04", "s1", "Emil", "I know a smith in Tarn who mends any hinge."),
	said("05", "s1", "Nora", "Send me the name, please."),
	said("06", "s2", "Emil", "The smith is called Oven Lund."),
	said("07", "", "Nora", "Oven mitts are in the drawer."),
	said("08", "s3", "user", "Where is my oven?"),
	said("09", "s3", "assistant", "Your oven is in Tarn."),
	said("10", "s3", "user", "Thanks"),
}

// agree compares the lexical arm with the naive evaluation over documents.
func agree(t *testing.T, x search.Index, docs []search.Document, q search.Query) {
	t.Helper()
	q.Lexical = len(docs) + 1
	if q.Scopes == nil {
		q.Scopes = []tenant.Scope{scopeA}
	}
	want := Reference{Documents: docs}.Lexical(q)
	hits := ask(t, x, q).Hits
	if len(hits) != len(want) {
		t.Errorf("%d hits, want %d", len(hits), len(want))
	}
	for _, h := range hits {
		if w := want[Key{h.Scope, h.ID}]; !near(h.Lexical, w) {
			t.Errorf("document %s: score %v, want %v", h.ID, h.Lexical, w)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(b)) }

var lexicalCases = []testCase{
	{"ScoresAreWindowedBM25", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		for _, text := range []string{"oven", "hinge", "oven hinge door", "Nora", "nora oven", "smith", "user", "the", "tarn tarn"} {
			agree(t, x, talk, search.Query{Text: text})
		}
	}},
	{"AQuestionWeighsMoreInItsAnswer", func(t *testing.T, x search.Index) {
		asked := []search.Document{
			said("1", "s1", "Nora", "How hot is the kiln? 🙂"), said("2", "s1", "Emil", "Nine hundred."),
			said("3", "s2", "Nora", "The kiln is hot, is it? No."), said("4", "s2", "Emil", "Nine hundred."),
		}
		put(t, x, asked...)
		scores := map[string]float64{}
		for _, h := range words(t, x, "kiln") {
			scores[h.ID] = h.Lexical
		}
		if !(scores["2"] > scores["4"] && scores["4"] > 0) {
			t.Errorf("scores %v", scores)
		}
		asked[0].Text, asked[0].Sequence = "The kiln is hot.", 2 // its answer's window changes with it
		put(t, x, asked[0])
		agree(t, x, asked, search.Query{Text: "kiln hot"})
	}},
	{"PlainLeavesTheWindowOut", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		agree(t, x, talk, search.Query{Text: "oven hinge", Plain: true})
		expectSet(t, ask(t, x, search.Query{Text: "hinge", Plain: true, Lexical: 9}).Hits, "03", "04")
	}},
	{"NeighboursAreInTheOrderOfIDsWhateverTheOrderOfWriting", func(t *testing.T, x search.Index) {
		order := slices.Clone(talk)
		slices.Reverse(order)
		order[2], order[7] = order[7], order[2]
		put(t, x, order...)
		agree(t, x, talk, search.Query{Text: "oven hinge smith"})
	}},
	{"ADeleteJoinsTheNeighbours", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		apply(t, x, remove("02", 2), remove("09", 2))
		left := slices.DeleteFunc(slices.Clone(talk), func(d search.Document) bool { return d.ID == "02" || d.ID == "09" })
		agree(t, x, left, search.Query{Text: "oven hinge"})
	}},
	{"AnUpdateMovesBetweenSessions", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		moved := slices.Clone(talk)
		moved[2].Session, moved[2].Sequence = "s2", 2
		put(t, x, moved[2])
		agree(t, x, moved, search.Query{Text: "oven hinge smith"})
	}},
	{"OnlyDocumentsWithAPositiveScoreAreHits", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		expect(t, words(t, x, "zeppelin"))
		expect(t, words(t, x, "the of and"))
		expect(t, words(t, x, ""))
	}},
	{"ATermOfTheSpeakersNameCounts", func(t *testing.T, x search.Index) {
		put(t, x, said("1", "", "Nora Lindqvist", "I sold the boat."), said("2", "", "Emil", "I sold the boat."))
		expect(t, words(t, x, "Lindqvist boat"), "1", "2")
	}},
	{"ALongDocumentCountsByItsBestChunk", func(t *testing.T, x search.Index) {
		filler := strings.Repeat("Grey herons wait beside slow rivers. ", 60)
		docs := []search.Document{
			doc("1", 1, filler+"The lighthouse keeper repaired a lantern. "+filler),
			doc("2", 1, "Lighthouse."),
			doc("3", 1, strings.Repeat("lantern ", 400)),
		}
		put(t, x, docs...)
		agree(t, x, docs, search.Query{Text: "lighthouse lantern keeper"})
		expect(t, ask(t, x, search.Query{Text: "lighthouse lantern keeper", Lexical: 1}).Hits, "1")
	}},
	{"TheArmAnswersItsBestAndNoMoreThanAsked", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "kiln and oven"), doc("2", 2, "kiln kiln"), doc("3", 3, "a kiln in a long row of other words"))
		expect(t, ask(t, x, search.Query{Text: "kiln", Lexical: 2}).Hits, "2", "1")
	}},
	{"TiesAreOrderedByNewerID", func(t *testing.T, x search.Index) {
		put(t, x, doc("2", 1, "kiln"), doc("3", 2, "kiln"), doc("1", 3, "kiln"))
		expect(t, ask(t, x, search.Query{Text: "kiln", Lexical: 2}).Hits, "3", "2")
	}},
	{"EveryScriptIsFoundByItsWords", func(t *testing.T, x search.Index) {
		put(t, x,
			doc("1", 1, "东京的仓库在星期六关闭。"), doc("2", 2, "Склад закрыт"), doc("3", 3, "المستودع مغلق"),
			doc("4", 4, "The warehouse is shut"), doc("5", 5, "倉庫は土曜日に閉まります"), doc("6", 6, "คลังสินค้าปิดวันเสาร์"))
		for query, id := range map[string]string{
			"仓库": "1", "склад": "2", "المستودع": "3", "WAREHOUSES": "4", "土曜日": "5", "คลังสินค้า": "6",
		} {
			if hits := words(t, x, query); len(hits) == 0 || hits[0].ID != id {
				t.Errorf("%q found %q, want %s", query, idsOf(hits), id)
			}
		}
	}},
	{"StatisticsAreThoseOfTheScore", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		q := search.Query{Scopes: []tenant.Scope{scopeA}, Text: "oven Nora zeppelin", Lexical: 1}
		got, want := ask(t, x, q).Stats, Reference{Documents: talk}.Stats(q)
		if got.Documents != want.Documents || !near(got.AvgLength, want.AvgLength) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		for term, df := range want.DF {
			if known, ok := got.DF[term]; !ok || known != df {
				t.Errorf("df of %s is %d, want %d", term, known, df)
			}
		}
	}},
}
