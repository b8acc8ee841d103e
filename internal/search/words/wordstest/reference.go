package wordstest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// Reference evaluates queries by going through all documents, as the contract states
// the formula.
type Reference struct {
	Documents []words.Document
}

// reached answers the documents in a query's reach.
func (r Reference) reached(q words.Query) []words.Document {
	var out []words.Document
	for _, d := range r.Documents {
		if d.Scope == q.Scope && d.Space == q.Space && reached(q, d.Path) {
			out = append(out, d)
		}
	}
	return out
}

func reached(q words.Query, path string) bool {
	best, in := -1, false
	for _, p := range q.Under {
		if strings.HasPrefix(path, p) && len(p) > best {
			best, in = len(p), true
		}
	}
	for _, p := range q.Not {
		if strings.HasPrefix(path, p) && len(p) >= best {
			best, in = len(p), false
		}
	}
	return in
}

func matches(d words.Document, word string) bool {
	return slices.ContainsFunc(words.Split(d.Text), func(w string) bool { return strings.HasPrefix(w, word) })
}

// Statistics are those of a query.
func (r Reference) Statistics(q words.Query) words.Statistics {
	out := words.Statistics{DF: make([]int, len(q.Words))}
	for _, d := range r.reached(q) {
		out.Documents++
		out.Length += int64(len(words.Split(d.Text)))
		for i, word := range q.Words {
			if matches(d, word) {
				out.DF[i]++
			}
		}
	}
	return out
}

// Hits are the best hits in order.
func (r Reference) Hits(q words.Query) []words.Hit {
	type scored struct {
		words.Hit
		micros int64
	}
	var all []scored
	stats := r.Statistics(q)
	for _, d := range r.reached(q) {
		if h := score(q, stats, d); h.Matched > 0 && q.Tagged(d.Tags) && !slices.Contains(q.Without, d.ID) {
			all = append(all, scored{h, d.Updated.UnixMicro()})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.micros, a.micros), cmp.Compare(b.ID, a.ID))
	})
	var out []words.Hit
	for _, s := range all[:min(len(all), q.Limit)] {
		out = append(out, s.Hit)
	}
	return out
}

// score is the formula of the contract, with the step of its own.
func score(q words.Query, s words.Statistics, d words.Document) words.Hit {
	h := words.Hit{ID: d.ID}
	n := len(q.Words)
	step := math.Floor(math.Pow(2, 24) / float64(n+1))
	weight := 0.0
	for i, word := range q.Words {
		if matches(d, word) {
			h.Matched++
			documents, df := float64(s.Documents), float64(s.DF[i])
			idf := math.Log1p((documents - df + .5) / (df + .5))
			weight += math.Floor(idf * step / float64(24*n))
		}
	}
	slope := 0.0
	if s.Length > 0 {
		slope = 1.2 * .4 * float64(s.Documents) / float64(s.Length)
	}
	length := float64(len(words.Split(d.Text)))
	h.Score = float64(h.Matched) + weight*1.72/(1.72+slope*length)/step
	return h
}

// Agree writes, changes and deletes random documents in three scopes and compares
// random queries with the naive evaluation: the same hits in the same order with the
// same scores. It needs an empty index.
func Agree(t *testing.T, x words.Index, seed uint64, operations int) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(seed, 11))}
	state := map[string]words.Document{}
	for sequence := range operations {
		d := g.document(int64(sequence + 1))
		key := d.Scope.WorkspaceID() + d.Scope.TenantID() + d.ID
		if g.IntN(5) == 0 {
			delete(state, key)
			apply(t, x, words.Op{Delete: true, Document: d})
		} else {
			state[key] = d
			apply(t, x, words.Op{Document: d})
		}
		if sequence%20 == 19 || sequence == operations-1 {
			r := Reference{}
			for _, d := range state {
				r.Documents = append(r.Documents, d)
			}
			for range 10 {
				q := g.query()
				compare(t, ask(t, x, q), r, q)
			}
		}
	}
}

type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) some(most int, list ...string) []string {
	var out []string
	for range g.IntN(most + 1) {
		out = append(out, g.pick(list...))
	}
	return out
}

func (g generator) document(sequence int64) words.Document {
	return words.Document{
		Scope: []tenant.Scope{scopeA, scopeA, scopeB, scopeC}[g.IntN(4)], Space: g.pick(space, space, "shop"),
		ID: fmt.Sprintf("%02d", g.IntN(30)), Sequence: sequence, Updated: epoch.Add(time.Duration(g.IntN(4)) * 700 * time.Nanosecond),
		Path: g.pick("", "a/", "a/b/", "ab/", "users/anna/", "users/ben/", "users/anna/x/"), Tags: g.some(2, "red", "blue", "green"),
		Text: strings.Join(g.some(9, "kiln", "kilns", "Oven", "door", "DOORS", "doorbell", "İĞNE", "東京", "x"), g.pick(" ", ", ")),
	}
}

func (g generator) query() words.Query {
	return words.Query{
		Scope: []tenant.Scope{scopeA, scopeA, scopeB}[g.IntN(3)], Space: g.pick(space, space, "shop"),
		Under: g.some(3, "", "a/", "a/b/", "users/anna/", "users/", "ab/"), Not: g.some(2, "users/", "a/", "users/anna/x/"),
		Tags: g.some(1, "red", "blue"), Words: words.Terms(strings.Join(g.some(5, "kiln", "door", "doorb", "o", "d", "ığne", "東", "none"), " ")),
		Limit: 1 + g.IntN(20), Without: g.some(2, "01", "02", "03", "04"),
	}
}
