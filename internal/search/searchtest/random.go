package searchtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Agree writes, changes and deletes random documents in three scopes and compares
// random queries with the naive evaluation: same hits, same scores, none outside
// the scopes or the filter. It needs an empty index.
func Agree(t *testing.T, x search.Index, seed uint64, operations int) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(seed, 11))}
	state := map[Key]search.Document{}
	for sequence := range operations {
		d := g.document(int64(sequence + 1))
		if g.IntN(5) == 0 {
			delete(state, KeyOf(d))
			apply(t, x, search.Op{Delete: true, Document: d})
		} else {
			state[KeyOf(d)] = d
			apply(t, x, search.Op{Document: d})
		}
		if sequence%20 == 19 || sequence == operations-1 {
			g.compare(t, x, Reference{Documents: values(state)})
		}
	}
}

func values(state map[Key]search.Document) []search.Document {
	var out []search.Document
	for _, d := range state {
		out = append(out, d)
	}
	return out
}

type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// text makes words of a small vocabulary, at times more than one chunk of them.
func (g generator) text() string {
	var b strings.Builder
	n := g.IntN(9)
	if g.IntN(8) == 0 {
		n = 150 + g.IntN(150)
	}
	for range n {
		b.WriteString(g.pick("kiln", "oven", "door", "hinge", "smith", "boat", "rope", "the", "is", "Nora", "仓库") + g.pick(" ", " ", " ", ". "))
	}
	return b.String() + g.pick("", "", "?") // a question weighs more in what follows it
}

func (g generator) document(sequence int64) search.Document {
	d := search.Document{
		Scope: []tenant.Scope{scopeA, scopeB, scopeC}[g.IntN(3)], ID: fmt.Sprintf("%02d", g.IntN(30)),
		Version: sequence, Sequence: sequence, Text: g.text(),
		Speaker: g.pick("", "Nora", "Emil", "Nora", "Emil", "user", "Assistant"), Session: g.pick("", "s1", "s2"),
		Fields: search.Fields{},
	}
	for _, field := range []string{"layer", "tag"} {
		for range g.IntN(3) {
			d.Fields[field] = append(d.Fields[field], g.pick("red", "blue", "green"))
		}
	}
	if g.IntN(3) == 0 {
		d.Until = g.instant()
	}
	if g.IntN(3) == 0 {
		d.Item = fmt.Sprintf("%02d", g.IntN(30))
	}
	for range g.IntN(3) {
		if d.Times == nil {
			d.Times = search.Times{}
		}
		d.Times[g.pick("begun", "ended")] = g.instant()
	}
	if g.IntN(3) > 0 {
		d.Vector, d.Profile = g.stored(), g.pick(profile, profile, "other-4-v1")
	}
	return d
}

// instant is one of few, so that ends and questions meet.
func (g generator) instant() time.Time {
	return epoch.Add(time.Duration(g.IntN(4)) * 500 * time.Nanosecond)
}

// stored is a vector as the table keeps it: whole steps times a scale, the largest
// of 127 steps.
func (g generator) stored() []float32 {
	out := make([]float32, 4)
	if g.IntN(8) == 0 {
		return out
	}
	scale := float32(.001 + g.Float64())
	for i := range out {
		out[i] = scale * float32(g.IntN(255)-127)
	}
	out[g.IntN(4)] = scale * 127
	return out
}

// vector is a query's.
func (g generator) vector() []float32 {
	if g.IntN(8) == 0 {
		return make([]float32, 4)
	}
	out := make([]float32, 4)
	for i := range out {
		out[i] = float32(g.NormFloat64())
	}
	return out
}

// filter makes a random filter of a depth.
func (g generator) filter(depth int) search.Filter {
	var f search.Filter
	if g.IntN(2) == 0 {
		f.Field = g.pick("layer", "tag", "none")
		f.Missing = g.IntN(4) == 0
		for range g.IntN(3) {
			f.In = append(f.In, g.pick("red", "blue", "green", "black"))
		}
	}
	if g.IntN(3) == 0 {
		g.bound(&f)
	}
	if depth == 0 {
		return f
	}
	if g.IntN(3) == 0 {
		inner := g.filter(depth - 1)
		f.Not = &inner
	}
	for range g.IntN(3) {
		f.All = append(f.All, g.filter(depth-1))
	}
	for range g.IntN(3) {
		f.Any = append(f.Any, g.filter(depth-1))
	}
	return f
}

// bound makes the filter look at a time.
func (g generator) bound(f *search.Filter) {
	f.Time = g.pick("begun", "ended", "never")
	if g.IntN(2) == 0 {
		f.Since = g.instant()
	}
	if g.IntN(2) == 0 {
		f.Before = g.instant()
	}
}

func (g generator) query() search.Query {
	q := search.Query{
		Text: g.text(), Filter: g.filter(2), Plain: g.IntN(3) == 0, Lexical: 1000,
		Vector: g.vector(), Profile: profile, Semantic: 1000,
	}
	if g.IntN(2) == 0 {
		q.Now = g.instant()
	}
	for range g.IntN(3) {
		q.Without = append(q.Without, fmt.Sprintf("%02d", g.IntN(30)))
	}
	for range g.IntN(4) {
		q.Tallies = append(q.Tallies, search.Tally{Filter: g.filter(1), Over: g.IntN(2) == 0})
	}
	for _, scope := range []tenant.Scope{scopeA, scopeB, scopeC} {
		if g.IntN(2) == 0 {
			q.Scopes = append(q.Scopes, scope)
		}
	}
	if q.Scopes == nil {
		q.Scopes = []tenant.Scope{scopeB}
	}
	return q
}

// compare asks ten random queries, each once without and once with limits.
func (g generator) compare(t *testing.T, x search.Index, r Reference) {
	t.Helper()
	for range 10 {
		q := g.query()
		lexical, semantic := r.Lexical(q), r.Semantic(q)
		answer := ask(t, x, q)
		g.check(t, answer.Hits, lexical, semantic)
		r.checkItems(t, answer.Hits)
		r.checkNumbers(t, q, answer)
		q.Lexical, q.Semantic = 1+g.IntN(5), 1+g.IntN(5)
		answer = ask(t, x, q)
		g.checkBest(t, answer.Hits, q, lexical, semantic)
		r.checkNumbers(t, q, answer)
	}
}

// check compares complete hits.
func (g generator) check(t *testing.T, hits []search.Hit, lexical, semantic map[Key]float64) {
	t.Helper()
	seen := map[Key]bool{}
	for _, h := range hits {
		key := Key{h.Scope, h.ID}
		cosine, has := semantic[key]
		if seen[key] || lexical[key] == 0 && !has {
			t.Errorf("%v twice or not allowed", key)
		}
		if !near(h.Lexical, lexical[key]) || h.HasVec != has || !near(h.Semantic, cosine) {
			t.Errorf("%+v, want lexical %v, cosine %v %v", h, lexical[key], cosine, has)
		}
		seen[key] = true
	}
	for _, arm := range []map[Key]float64{lexical, semantic} {
		for key := range arm {
			if !seen[key] {
				t.Errorf("%v is missing", key)
			}
		}
	}
}

// checkBest tells whether every hit is among the best of an arm and none of them
// is left out.
func (g generator) checkBest(t *testing.T, hits []search.Hit, q search.Query, lexical, semantic map[Key]float64) {
	t.Helper()
	got := map[Key]bool{}
	for _, h := range hits {
		got[Key{h.Scope, h.ID}] = true
	}
	for _, arm := range []struct {
		scores map[Key]float64
		most   int
	}{{lexical, q.Lexical}, {semantic, q.Semantic}} {
		for _, key := range top(arm.scores, arm.most) {
			if !got[key] {
				t.Errorf("%v of the best %d is missing", key, arm.most)
			}
		}
	}
	if len(hits) > q.Lexical+q.Semantic {
		t.Errorf("%d hits for limits %d and %d", len(hits), q.Lexical, q.Semantic)
	}
}

// top answers the keys of the greatest scores, leaving out those that tie with
// the first one that does not fit.
func top(scores map[Key]float64, most int) []Key {
	var keys []Key
	for key := range scores {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		if scores[a] > scores[b] {
			return -1
		}
		return 1
	})
	if len(keys) <= most {
		return keys
	}
	limit := scores[keys[most]]
	return slices.DeleteFunc(keys[:most], func(key Key) bool { return near(scores[key], limit) })
}
