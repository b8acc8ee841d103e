package memsearch

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/search"
	"holdfast/internal/search/searchtest"
	"holdfast/internal/tenant"
)

var start = time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(*testing.T) search.Index { return New(clock.NewFixed(start)) })
}

// FuzzAgreesWithNaiveEvaluation: whatever is written, nothing outside scopes and
// filter is answered and every score is that of the formula.
func FuzzAgreesWithNaiveEvaluation(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, byte(10*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, operations byte) {
		searchtest.Agree(t, New(clock.NewFixed(start)), seed, int(operations))
	})
}

func TestDeletesAreForgottenAfterAMinute(t *testing.T) {
	now := clock.NewFixed(start)
	x := New(now)
	scope := tenant.Grant("t", "w")
	d := search.Document{Scope: scope, ID: "1", Sequence: 1, Text: "kiln"}
	has := func() bool {
		ok, err := x.Has(t.Context(), scope, "1")
		return ok && err == nil
	}
	x.Apply(t.Context(), []search.Op{{Delete: true, Document: search.Document{Scope: scope, ID: "1", Sequence: 5}}})
	now.Advance(time.Minute)
	if x.Apply(t.Context(), []search.Op{{Document: d}}); has() {
		t.Error("a delete within a minute was forgotten")
	}
	now.Advance(time.Millisecond)
	if x.Apply(t.Context(), []search.Op{{Document: d}}); !has() {
		t.Error("a delete is remembered for more than a minute")
	}
	if p, _ := x.partitions.Get(scope); p.deletes.Len() != 0 {
		t.Error("a forgotten delete still takes space")
	}
}

// A document that comes and goes leaves nothing behind.
func TestRemovalLeavesNothing(t *testing.T) {
	now := clock.NewFixed(start)
	x := New(now)
	ops := corpus(50)
	for i := range ops {
		ops[i].Document.Times = search.Times{"begun": start, "ended": start.Add(time.Duration(i))}
		if i%3 == 0 {
			ops[i].Document.Item = strconv.Itoa(i % 2)
		}
	}
	for round := range int64(3) {
		for i := range ops {
			ops[i].Delete, ops[i].Document.Sequence = false, 2*round+1
		}
		x.Apply(t.Context(), ops)
		for i := range ops {
			ops[i].Delete, ops[i].Document.Sequence = true, 2*round+2
		}
		x.Apply(t.Context(), ops)
	}
	now.Advance(2 * time.Minute)
	x.Apply(t.Context(), []search.Op{{Delete: true, Document: search.Document{Scope: benchScope, ID: "x"}}})
	p, _ := x.partitions.Get(benchScope)
	if len(p.byID)+len(p.sessions)+len(p.shows)+len(p.times)+len(p.vectors)+len(p.bare.docs)+len(p.blank)+p.words.terms.used+len(p.words.terms.spelling.all)+len(p.words.held.all)+len(p.words.postings.free)-len(p.words.postings.lists)+len(p.fields.keywords.ids)+len(p.fields.sets.ids)+len(p.fields.numbers.all) != 0 ||
		p.ends.count+len(p.ends.until)+p.words.own+p.words.windowed+p.words.count != 0 || p.deletes.Len() != 1 {
		t.Errorf("something is left: %+v", p)
	}
	if len(p.docs) != 50 || len(p.words.passages) != 50 {
		t.Errorf("%d documents and %d passages have a place", len(p.docs), len(p.words.passages))
	}
}

// Scratch space is clean after each search.
func TestScratchIsCleanAfterSearch(t *testing.T) {
	x := New(clock.NewFixed(start))
	x.Apply(t.Context(), corpus(200))
	q := search.Query{
		Scopes: []tenant.Scope{benchScope}, Text: spell(3) + " " + spell(25), Lexical: 5, Semantic: 5,
		Vector: make([]float32, 256), Profile: "p", Filter: search.Filter{Field: "status", In: []string{"active"}},
	}
	for range 3 {
		if _, err := x.Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		r, err := x.turns.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s := r.scratch[0]
		for i := range s.weight {
			if s.weight[i] != 0 || s.total[i] != 0 {
				t.Fatalf("passage %d keeps %d, %v", i, s.weight[i], s.total[i])
			}
		}
		if len(s.scored)+len(s.touched)+len(s.picks)+len(s.alike.named)+len(s.alike.masks) != 0 {
			t.Fatal("lists are not empty")
		}
		for _, kept := range r.lexBest.items[:cap(r.lexBest.items)] {
			if kept.id != "" {
				t.Fatalf("%s is remembered", kept.id)
			}
		}
		x.turns.give(r)
	}
}

// clustered makes vectors about a few hundred topics, as texts have them.
func clustered(n int) []search.Op {
	random := rand.New(rand.NewPCG(7, 8))
	topics := make([][]float32, 300)
	for i := range topics {
		topics[i] = randomVector(random, 64)
	}
	ops := make([]search.Op, n)
	for i := range ops {
		vector := randomVector(random, 64)
		for j, x := range topics[random.IntN(len(topics))] {
			vector[j] += x
		}
		ops[i].Document = search.Document{
			Scope: benchScope, ID: strconv.Itoa(100000 + i), Sequence: 1, Profile: "p", Vector: vector,
			Fields: search.Fields{"parity": {strconv.Itoa(i % 2)}},
		}
	}
	return ops
}

// Beyond exactRows the shortlist by signs finds nearly all that a full scan finds,
// with the same cosines, and nothing that the filter forbids.
func TestShortlistFindsTheBest(t *testing.T) {
	x := New(clock.NewFixed(start))
	ops := clustered(2*exactRows + 2000)
	x.Apply(t.Context(), ops)
	q := search.Query{
		Scopes: []tenant.Scope{benchScope}, Vector: ops[17].Document.Vector, Profile: "p", Semantic: 50,
		Filter: search.Filter{Field: "parity", In: []string{"1"}},
	}
	want := scanAll(x, q)
	answer, err := x.Search(t.Context(), q)
	if err != nil || len(answer.Hits) != len(want) {
		t.Fatalf("%d hits, want %d; %v", len(answer.Hits), len(want), err)
	}
	found := 0
	for _, h := range answer.Hits {
		if cosine, ok := want[h.ID]; ok && h.Semantic == cosine {
			found++
		}
	}
	if found < 49 {
		t.Errorf("%d of the best 50", found)
	}
	if top := answer.Hits[0]; top.ID != ops[17].Document.ID || top.Semantic < .999 {
		t.Errorf("nearest is %s with %v", top.ID, top.Semantic)
	}
}

// scanAll answers the cosines of the semantic arm's best by going through all.
func scanAll(x *Index, q search.Query) map[string]float64 {
	p, _ := x.partitions.Get(benchScope)
	r := &run{partitions: x.hold(nil, q.Scopes)}
	r.begin(&q)
	defer r.close()
	r.semBest.most = q.Semantic
	r.scratch[0].pickAll(p, r.known[0], r.probe)
	r.keepBest(0, p, r.known[0], r.scratch[0])
	out := map[string]float64{}
	for _, s := range r.semBest.sorted() {
		out[s.id] = s.score
	}
	return out
}

// Where the filter leaves few rows of many, all of them are scored.
func TestShortlistOfFewIsExact(t *testing.T) {
	x := New(clock.NewFixed(start))
	ops := clustered(exactRows + 2000)
	x.Apply(t.Context(), ops)
	q := search.Query{
		Scopes: []tenant.Scope{benchScope}, Vector: ops[0].Document.Vector, Profile: "p", Semantic: 200,
		Filter: search.Filter{Field: "parity", In: []string{"0"}},
	}
	want := scanAll(x, q)
	answer, err := x.Search(t.Context(), q)
	if err != nil || len(answer.Hits) != len(want) {
		t.Fatalf("%d hits, want %d; %v", len(answer.Hits), len(want), err)
	}
	for _, h := range answer.Hits {
		if h.Semantic != want[h.ID] {
			t.Errorf("%s: %v, want %v", h.ID, h.Semantic, want[h.ID])
		}
	}
}

func TestRotationKeepsAngles(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 4, 100, 256} {
		a, b := randomVector(random, n), randomVector(random, n)
		before, after := embed.Cosine(a, b), embed.Cosine(rotate(a), rotate(b))
		if math.Abs(before-after) > 1e-5 {
			t.Errorf("dimension %d: cosine %v became %v", n, before, after)
		}
	}
}
