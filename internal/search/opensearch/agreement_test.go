//go:build integration

package opensearch

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/recall/rank"
	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/search/searchtest"
	"holdfast/internal/tenant"
)

// embedded makes the embedded engine with the same documents.
func embedded(t *testing.T, docs []search.Document) *memsearch.Index {
	t.Helper()
	x := memsearch.New(clock.NewFixed(time.Unix(0, 0)))
	fill(t, x, docs, 1000)
	return x
}

func found(t testing.TB, x search.Index, q search.Query) search.Answer {
	t.Helper()
	answer, err := x.Search(t.Context(), q)
	if err != nil || answer.LexicalErr != nil || answer.SemanticErr != nil {
		t.Fatal(err, answer.LexicalErr, answer.SemanticErr)
	}
	return answer
}

// best ranks an answer as recall does and answers the first ids.
func best(q search.Query, answer search.Answer, docs map[string]search.Document, most int) []string {
	candidates := make([]rank.Candidate, len(answer.Hits))
	for i, h := range answer.Hits {
		d := docs[h.ID]
		candidates[i] = rank.Candidate{
			ID: h.ID, Lexical: h.Lexical, Cosine: h.Semantic, HasVec: h.HasVec,
			Text: d.Text, Speaker: d.Speaker, Session: d.Session, Trust: 1,
		}
	}
	ranked := rank.Order(analysis.Query(q.Text), candidates, answer.Stats, rank.Options{LexicalShare: .6, Floor: .1})
	var out []string
	for _, r := range ranked[:min(most, len(ranked))] {
		out = append(out, candidates[r.Index].ID)
	}
	return out
}

func byID(docs []search.Document) map[string]search.Document {
	out := map[string]search.Document{}
	for _, d := range docs {
		out[d.ID] = d
	}
	return out
}

// share is the part of the first ids that the second hold.
func share(a, b []string) float64 {
	n := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(a)))
}

// TestAnswersAreThoseOfTheEmbeddedEngine: on 3,000 turns with more hits than an arm
// answers, the ten best are the same and the scores agree.
func TestAnswersAreThoseOfTheEmbeddedEngine(t *testing.T) {
	docs := corpus(3_000, 256)
	x, y := fresh(t, withWide), embedded(t, docs)
	fill(t, x, docs, 500)
	known := byID(docs)
	random := rand.New(rand.NewPCG(2, 2))
	overlap, worst, n := 0.0, 1.0, 150
	for i := range n {
		q := asked(random, docs[random.IntN(len(docs))], 100)
		q.Plain = i%10 == 9
		got, want := found(t, x, q), found(t, y, q)
		sameScores(t, got, want)
		s := share(best(q, want, known, 10), best(q, got, known, 10))
		overlap += s / float64(n)
		worst = min(worst, s)
	}
	t.Logf("overlap of the ten best: mean %.4f, worst %.2f", overlap, worst)
	if overlap < .99 {
		t.Errorf("mean overlap %.4f", overlap)
	}
}

// sameScores compares statistics and, of documents that both know, all scores.
func sameScores(t *testing.T, got, want search.Answer) {
	t.Helper()
	if fmt.Sprint(got.Stats.DF, got.Stats.Documents) != fmt.Sprint(want.Stats.DF, want.Stats.Documents) ||
		!alike(got.Stats.AvgLength, want.Stats.AvgLength) {
		t.Errorf("statistics %+v, want %+v", got.Stats, want.Stats)
	}
	hits := map[string]search.Hit{}
	for _, h := range want.Hits {
		hits[h.ID] = h
	}
	for _, h := range got.Hits {
		w, ok := hits[h.ID]
		if ok && (!alike(h.Lexical, w.Lexical) || !alike(h.Semantic, w.Semantic) || h.HasVec != w.HasVec) {
			t.Errorf("%+v, want %+v", h, w)
		}
	}
}

func alike(a, b float64) bool { return max(a-b, b-a) <= 2e-6*max(1, a, b) }

// TestNearestAreThoseOfAnExactScan: recall of the nearest of 10,200 in the graph, against a
// scan by the engine and against the embedded engine, which at 200 parts near ties by its
// rounding. The index is searched as its segments fell and as one graph, which finds least.
func TestNearestAreThoseOfAnExactScan(t *testing.T) {
	docs := corpus(10_200, 256)
	x, y := fresh(t, withWide), embedded(t, docs)
	fill(t, x, docs, 500)
	for _, segments := range []string{"as they fell", "one"} {
		for _, most := range []int{10, 200} {
			byScan, byOther := recallOfNearest(t, x, y, docs, most)
			t.Logf("segments %s: of the %d nearest %.4f by a scan, %.4f by the embedded engine", segments, most, byScan, byOther)
			if byScan < .95 || byOther < .95 { // a graph was seen to hide the group of every thirtieth question
				t.Errorf("recall %.4f, %.4f", byScan, byOther)
			}
		}
		inOneSegment(t, x)
	}
	if len(x.large.keys) != 1 {
		t.Errorf("%d scopes known as too large for a scan", len(x.large.keys))
	}
}

// recallOfNearest is the mean share of what a scan finds, and of what the embedded engine
// finds, that the semantic arm finds.
func recallOfNearest(t *testing.T, x *Index, y search.Index, docs []search.Document, most int) (byScan, byOther float64) {
	t.Helper()
	random, n := rand.New(rand.NewPCG(3, 3)), 60
	for range n {
		q := asked(random, docs[random.IntN(len(docs))], most)
		q.Lexical = 0
		got := ids(found(t, x, q))
		byScan += share(scanned(t, x, q), got) / float64(n)
		byOther += share(ids(found(t, y, q)), got) / float64(n)
	}
	return byScan, byOther
}

// scanned are the ids of the nearest by going through all vectors.
func scanned(t *testing.T, x *Index, q search.Query) []string {
	t.Helper()
	s, err := scopedTo(q.Scopes...)
	if err != nil {
		t.Fatal(err)
	}
	results, err := x.one(t.Context(), query{routing: s.routing(), body: s.allNear(&q, "10s")})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range results.Hits.Hits {
		out = append(out, h.Fields.ID[0])
	}
	return out
}

// inOneSegment makes one segment of an index.
func inOneSegment(t *testing.T, x *Index) {
	t.Helper()
	one := request{method: http.MethodPost, path: "/" + x.index + "/_forcemerge", query: url.Values{"max_num_segments": {"1"}}}
	if err := do(t.Context(), &x.engine, one, nothing); err != nil {
		t.Fatal(err)
	}
}

func ids(answer search.Answer) []string {
	var out []string
	for _, h := range answer.Hits {
		out = append(out, h.ID)
	}
	return out
}

func TestRandomStatesAgree(t *testing.T) {
	for seed := range uint64(4) {
		searchtest.Agree(t, fresh(t), 100+seed, 80)
	}
}

// TestWritersOfOneSessionSettle: writers that change each other's windows at the same
// time leave every window right.
func TestWritersOfOneSessionSettle(t *testing.T) {
	x := fresh(t)
	docs := make([]search.Document, 96)
	for i := range docs {
		docs[i] = turn(fmt.Sprintf("%03d", i), "s", []string{"Nora", "Emil"}[i%2], fmt.Sprintf("word%d kiln word%d", i, i%7), int64(i+1))
	}
	var group sync.WaitGroup
	for writer := range 4 {
		group.Go(func() {
			for i := writer; i < len(docs); i += 4 {
				for tries := 0; tries < 20; tries++ { // contention is told as an error, to be tried again
					if x.Apply(t.Context(), upserts(docs[i]))[0] == nil {
						break
					}
				}
			}
		})
	}
	group.Wait()
	naive := searchtest.Reference{Documents: docs}
	for _, text := range []string{"kiln", "word3 word5", "word12"} {
		q := search.Query{Scopes: []tenant.Scope{talkScope}, Text: text, Lexical: 200}
		want := naive.Lexical(q)
		answer := found(t, x, q)
		if len(answer.Hits) != len(want) {
			t.Errorf("%q: %d hits, want %d", text, len(answer.Hits), len(want))
		}
		for _, h := range answer.Hits {
			if w := want[searchtest.Key{Scope: h.Scope, ID: h.ID}]; !alike(h.Lexical, w) {
				t.Errorf("%q: %s scores %v, want %v", text, h.ID, h.Lexical, w)
			}
		}
	}
}

// A window that was rewritten many times neither blocks the next change of its
// document nor lets an older one pass.
func TestRewrittenWindowsKeepTheOrderOfSequences(t *testing.T) {
	x := fresh(t)
	first := turn("2", "s", "Nora", "kiln", 5)
	first.Vector, first.Profile = []float32{1, 0, 0, 0}, "suite-4-v1"
	applied(t, x, search.Op{Document: first})
	for i := range 6 {
		applied(t, x, upserts(turn("3", "s", "Emil", fmt.Sprint("oven word", i), int64(10+i)))...)
	}
	applied(t, x, upserts(turn("2", "s", "Nora", "door", 5))...)
	for text, want := range map[string]int{"kiln": 2, "door": 0} { // its neighbour has the word in its window
		q := search.Query{Scopes: []tenant.Scope{talkScope}, Text: text, Lexical: 9}
		if got := found(t, x, q); len(got.Hits) != want {
			t.Errorf("%q: %d hits", text, len(got.Hits))
		}
	}
	near := search.Query{Scopes: []tenant.Scope{talkScope}, Vector: first.Vector, Profile: first.Profile, Semantic: 9}
	if got := found(t, x, near); len(got.Hits) != 1 || !alike(got.Hits[0].Semantic, 1) {
		t.Errorf("rewriting its window lost the vector: %+v", got.Hits)
	}
	applied(t, x, upserts(turn("2", "s", "Nora", "door", 6))...)
	if got := found(t, x, search.Query{Scopes: []tenant.Scope{talkScope}, Text: "door", Lexical: 9}); len(got.Hits) != 2 {
		t.Errorf("%d hits", len(got.Hits))
	}
}

// Sparse changes of a long session are read piece by piece.
func TestChangesFarApartInALongSession(t *testing.T) {
	x := fresh(t)
	docs := make([]search.Document, 400)
	for i := range docs {
		docs[i] = turn(fmt.Sprintf("%03d", i), "s", "Nora", fmt.Sprintf("word%d kiln", i%50), int64(i+1))
	}
	fill(t, x, docs, 100)
	var changed []search.Document
	for _, i := range []int{3, 4, 90, 200, 201, 203, 398} {
		docs[i].Text, docs[i].Sequence = fmt.Sprint("changed oven ", i), 1000
		changed = append(changed, docs[i])
	}
	applied(t, x, upserts(changed...)...)
	q := search.Query{Scopes: []tenant.Scope{talkScope}, Text: "oven changed word3 kiln", Lexical: 500}
	want := searchtest.Reference{Documents: docs}.Lexical(q)
	answer := found(t, x, q)
	if len(answer.Hits) != len(want) {
		t.Errorf("%d hits, want %d", len(answer.Hits), len(want))
	}
	for _, h := range answer.Hits {
		if w := want[searchtest.Key{Scope: h.Scope, ID: h.ID}]; !alike(h.Lexical, w) {
			t.Errorf("%s scores %v, want %v", h.ID, h.Lexical, w)
		}
	}
}

func TestARealIndexWithAnotherDimensionIsRefused(t *testing.T) {
	x := fresh(t)
	if err := x.Ensure(t.Context()); err != nil {
		t.Errorf("the second time: %v", err)
	}
	c := x.config
	c.Profiles = []Profile{{"suite-4-v1", 5}}
	other, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"ensure": other.Ensure(t.Context()), "check": other.Check(t.Context())} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	c.Profiles = append(slices.Clone(suiteProfiles), Profile{"late/7", 7})
	if other, err = New(c); err != nil {
		t.Fatal(err)
	}
	if err := other.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := turn("1", "", "", "kiln", 1)
	d.Vector, d.Profile = []float32{1, 0, 0, 0, 0, 0, 1}, "late/7"
	applied(t, other, search.Op{Document: d})
	q := search.Query{Scopes: []tenant.Scope{talkScope}, Vector: d.Vector, Profile: d.Profile, Semantic: 3}
	if got := found(t, other, q); len(got.Hits) != 1 || !alike(got.Hits[0].Semantic, 1) {
		t.Errorf("hits %+v", got.Hits)
	}
}

// The longest query has more terms than weigh: those of one document are cut, in order.
func TestAQueryOfAThousandTerms(t *testing.T) {
	x := fresh(t)
	docs := []search.Document{turn("1", "", "", manyWords(1, 300), 1), turn("2", "", "", "q1x7 q1x999 kiln", 2), turn("3", "", "", "q1x299 kiln", 3)}
	applied(t, x, upserts(docs...)...)
	q := search.Query{Scopes: []tenant.Scope{talkScope}, Text: "q1x999 " + manyWords(1, 1000), Lexical: 9}
	q.Filter = search.Filter{Not: &search.Filter{Field: "status", In: strings.Fields(manyWords(2, 500))}}
	if got := found(t, x, q); len(got.Hits) != 2 || len(got.Stats.DF) != 1000 || got.Hits[0].ID != "1" || got.Hits[1].ID != "2" {
		t.Errorf("%+v, %d frequencies", got.Hits, len(got.Stats.DF))
	}
}
