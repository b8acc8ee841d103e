package searchtest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// awkward are documents that bad queries have words in common with, among them the
// queries' own texts.
func awkward() []search.Document {
	docs := slices.Clone(talk)
	for i, text := range []string{
		"The kiln is hot.", "A door of oak and an oven.", "*:*", `{"match_all":{}}`, `" OR 1=1 --`, "text:kiln AND door",
		"🔥🦊", "窑炉的门", "窯の扉", "الفرن ساخن", "תנור חם", "เตาเผา", "печь", "k", "?!", "",
		long(func(i int) string { return "w" + spelled(3*i) + " " }), // more than one chunk
		"wbo wco wdo wfo", "w wo wbo kiln kiln kiln", "1.2.3 and 2.3.4", strings.Repeat("kiln", 500), "丁七丄丅",
	} {
		docs = append(docs, doc(fmt.Sprintf("a%02d", i), 1, text))
	}
	return append(docs, in(scopeB, doc("b", 1, "kiln door oven match all 1")))
}

var badInputCases = []testCase{
	{"BadQueriesAreAnsweredAsAnyOther", badQueries},
	{"NoQueryFindsMoreThanItsWords", onlyWords},
	{"OfTheTermsOfAQueryTheRarestWeigh", rarest},
	{"AWordOfAnyLengthIsFound", func(t *testing.T, x search.Index) {
		word := strings.Repeat("kiln", LongestQuery/4)
		put(t, x, doc("1", 1, word), doc("2", 1, word+"s"), doc("3", 1, "kiln"))
		expect(t, words(t, x, word), "1")
		expect(t, words(t, x, strings.Repeat("kiln ", 5000)), "3")
	}},
	{"IdenticalTextsAreInTheOrderOfTheirIDs", identical},
	{"ALimitCutsATieByID", tie},
	{"AnIndexOfOneDocumentAnswersIt", func(t *testing.T, x search.Index) {
		one := both("1", "kiln")
		put(t, x, one)
		for name, q := range arms(9) {
			if hits := ask(t, x, q).Hits; len(hits) != 1 || hits[0].ID != "1" {
				t.Errorf("%s: %v", name, hits)
			}
		}
		agree(t, x, []search.Document{one}, search.Query{Text: "kiln"})
	}},
	{"SessionsThatAreEmptyLeaveNothing", emptied},
	{"DocumentsWithoutWordsCount", func(t *testing.T, x search.Index) {
		docs := []search.Document{
			said("1", "s", "Nora", ""), said("2", "s", "Nora", "?!"), said("3", "s", "Nora", "kiln"), said("4", "s", "Nora", "🔥"), doc("5", 1, "the"),
		}
		put(t, x, docs...)
		for _, text := range []string{"kiln", "Nora kiln", "🔥", "the"} {
			agree(t, x, docs, search.Query{Text: text})
			agreeStats(t, x, docs, search.Query{Text: text})
		}
	}},
}

// badQueries compares each with the naive evaluation: hits, scores, statistics and
// numbers, with all that is found and with the best two.
func badQueries(t *testing.T, x search.Index) {
	docs := awkward()
	for i := range docs {
		if i%2 == 0 {
			docs[i].Vector, docs[i].Profile = []float32{float32(i), 127, 0, 0}, profile
		}
	}
	put(t, x, docs...)
	r, g := Reference{Documents: docs}, generator{}
	for _, bad := range BadQueries() {
		t.Run(bad.Name, func(t *testing.T) {
			q := nearTo(len(docs), 1, 2, 0, 0)
			q.Scopes, q.Text, q.Lexical, q.Tallies = []tenant.Scope{scopeA}, bad.Text, len(docs), []search.Tally{{}}
			lexical, semantic := r.Lexical(q), r.Semantic(q)
			answer := ask(t, x, q)
			g.check(t, answer.Hits, lexical, semantic)
			r.checkNumbers(t, q, answer)
			agreeStats(t, x, docs, q)
			q.Lexical, q.Semantic = 2, 2
			g.checkBest(t, ask(t, x, q).Hits, q, lexical, semantic)
		})
	}
}

// agreeStats compares the statistics with the naive ones.
func agreeStats(t *testing.T, x search.Index, docs []search.Document, q search.Query) {
	t.Helper()
	q.Scopes, q.Lexical = []tenant.Scope{scopeA}, 1
	got, want := ask(t, x, q).Stats, Reference{Documents: docs}.Stats(q)
	if got.Documents != want.Documents || !near(got.AvgLength, want.AvgLength) || !reflect.DeepEqual(got.DF, want.DF) {
		t.Errorf("statistics %+v, want %+v", got, want)
	}
}

// onlyWords holds what queries with a meaning elsewhere find here.
func onlyWords(t *testing.T, x search.Index) {
	put(t, x, doc("1", 1, "The kiln is hot."), doc("2", 1, "A door of oak."), doc("3", 1, `{"match_all":{}}`), doc("4", 1, `*:*`),
		doc("5", 1, `" OR 1=1 --`), doc("6", 1, "text:kiln AND door"), doc("7", 1, "a match"), in(scopeB, doc("8", 1, "kiln 1")))
	for text, want := range map[string][]string{
		`*:*`: nil, `*`: nil, `?`: nil, `""`: nil, `[* TO *]`: nil, `.*`: nil, `kil*`: nil, `ki?n`: nil, `/k.*n/`: nil, `NOT`: nil,
		`{"match_all":{}}`: {"3", "7"}, `" OR 1=1 --`: {"5"}, `-kiln`: {"1", "6"}, `kiln~2`: {"1", "6"}, `"hot kiln"`: {"1", "6"},
		`kiln AND NOT door`: {"1", "2", "6"}, `text:door`: {"2", "6"}, `_exists_:text`: {"6"}, `kiln|99`: {"1", "6"}, `_id:8`: nil,
		`scope:tenant-1.workspace-b`: {"5"}, "oak\n{\"index\":\"*\"}\n{\"query\":{\"match_all\":{}}}": {"2", "3", "7"},
	} {
		t.Run(text, func(t *testing.T) { expectSet(t, words(t, x, text), want...) })
	}
}

// rarest asks more terms than weigh, of which many are held by as many documents.
func rarest(t *testing.T, x search.Index) {
	random := rand.New(rand.NewPCG(5, 5))
	term := func(i int) string { return "v" + spelled(i) }
	docs := make([]search.Document, 60)
	for i := range docs {
		text := "kiln"
		for n := range 2 * search.MaxTerms {
			if random.IntN(40) <= n/8 { // the later, the more frequent
				text += " " + term(n)
			}
		}
		docs[i] = said(fmt.Sprintf("%02d", i), fmt.Sprint("s", i/4), []string{"Nora", "Emil", "user"}[i%3], text)
	}
	put(t, x, docs...)
	for _, n := range []int{search.MaxTerms - 1, search.MaxTerms, search.MaxTerms + 1, 3 * search.MaxTerms} {
		terms := []string{"unknown", "kiln"}
		for i := range n - 2 {
			terms = append(terms, term(i))
		}
		random.Shuffle(n, func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		for _, plain := range []bool{false, true} {
			q := search.Query{Scopes: []tenant.Scope{scopeA}, Text: strings.Join(terms, " "), Lexical: 100, Plain: plain, Tallies: []search.Tally{{}}}
			agree(t, x, docs, q)
			agreeStats(t, x, docs, q)
			Reference{Documents: docs}.checkNumbers(t, q, ask(t, x, q))
		}
	}
}

// both makes a document that each arm knows.
func both(id, text string) search.Document {
	d := embedded(id, 1, 0, 0, 0)
	d.Text = text
	return d
}

// arms are queries for kilns, by what they ask.
func arms(most int) map[string]search.Query {
	return map[string]search.Query{
		"both": bothArms(most), "lexical": {Text: "kiln", Lexical: most}, "semantic": nearTo(most, 1, 0, 0, 0),
	}
}

// identical writes one text many times into three scopes, in three orders.
func identical(t *testing.T, x search.Index) {
	const n = 40
	random := rand.New(rand.NewPCG(6, 6))
	var newest []string
	for i := range n {
		newest = append(newest, fmt.Sprintf("%02d", n-1-i))
	}
	scopes := []tenant.Scope{scopeA, scopeB, scopeC}
	for place, scope := range scopes {
		order := slices.Clone(newest)
		switch place {
		case 1:
			slices.Reverse(order)
		case 2:
			random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for part := range slices.Chunk(order, 7) {
			var docs []search.Document
			for _, id := range part {
				docs = append(docs, in(scope, both(id, "The kiln is hot.")))
			}
			put(t, x, docs...)
		}
	}
	for _, most := range []int{1, 7, n - 1, n, n + 1} {
		for name, q := range arms(most) {
			for _, scope := range slices.Repeat(scopes, 2) {
				q.Scopes = []tenant.Scope{scope}
				if got := idsOf(ask(t, x, q).Hits); !slices.Equal(got, newest[:min(n, most)]) {
					t.Errorf("%s, %d of %v: %q", name, most, scope, got)
				}
			}
		}
	}
}

// tie has ten documents above, forty alike and ten below, of which limits cut the forty.
func tie(t *testing.T, x search.Index) {
	var docs []search.Document
	var want []string
	for i := range 60 {
		d := both(fmt.Sprintf("%02d", (i*37)%60), "kiln door")
		switch {
		case i < 10:
			d.Text = "kiln kiln kiln"
		case i < 50:
			d.Vector = []float32{1, 1, 0, 0}
		default:
			d.Text, d.Vector = "kiln among a row of other words that nobody asks for", []float32{1, 2, 0, 0}
		}
		docs = append(docs, d)
	}
	for _, part := range [][]search.Document{docs[:10], docs[10:50], docs[50:]} {
		var ids []string
		for _, d := range part {
			ids = append(ids, d.ID)
		}
		slices.Sort(ids)
		slices.Reverse(ids)
		want = append(want, ids...)
	}
	random := rand.New(rand.NewPCG(7, 7))
	random.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	put(t, x, docs...)
	for _, most := range []int{5, 10, 11, 25, 49, 50, 51, 60} {
		for name, q := range arms(most) {
			for range 2 {
				if got := idsOf(ask(t, x, q).Hits); !slices.Equal(got, want[:most]) {
					t.Errorf("%s, %d: %q, want %q", name, most, got, want[:most])
				}
			}
		}
	}
}

// emptied deletes all of a session, of a scope, and begins anew.
func emptied(t *testing.T, x search.Index) {
	put(t, x, talk...)
	left := slices.Clone(talk)
	for _, session := range []string{"s2", "s3", "s1", ""} {
		for _, d := range talk {
			if d.Session == session {
				apply(t, x, remove(d.ID, 2))
				left = slices.DeleteFunc(left, func(o search.Document) bool { return o.ID == d.ID })
			}
		}
		agree(t, x, left, search.Query{Text: "oven hinge Nora"})
		agreeStats(t, x, left, search.Query{Text: "oven hinge Nora"})
	}
	again := []search.Document{talk[1], talk[5]}
	for i := range again {
		again[i].Sequence = 3
	}
	put(t, x, again...)
	agree(t, x, again, search.Query{Text: "oven hinge smith"})
	agreeStats(t, x, again, search.Query{Text: "oven hinge smith"})
}
