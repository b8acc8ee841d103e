//go:build integration

package opensearch

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"
	"fmt"
	"holdfast/internal/search/analysis"
)

func TestProf(t *testing.T) {
	x := fresh(t, withWide)
	docs := corpus(10_000, 256)
	fill(t, x, docs, 500)
	ctx := t.Context()
	s, _ := scopedTo(talkScope, talkScope.Own())
	random := rand.New(rand.NewPCG(1, 1))
	sums := map[string]time.Duration{}
	n := 300
	tm := func(name string, i int, f func()) { st := time.Now(); f(); if i >= 150 { sums[name] += time.Since(st) } }
	for i := range n {
		q := asked(random, docs[random.IntN(len(docs))], 200)
		terms := analysis.Terms(q.Text)
		a, _ := x.Search(ctx, q)
		var known []string
		for _, h := range a.Hits { if h.HasVec { known = append(known, documentID(scopeKey(h.Scope), h.ID)) } }
		known = known[:min(200, len(known))]
		st := a.Stats
		if i == n-1 { for _, tt := range terms { fmt.Println(tt, st.DF[tt]) } }
		tm("totals", i, func() { x.all(ctx, []query{{s.routing(), s.totals(false)}}) })
		tm("df", i, func() { x.all(ctx, []query{{s.routing(), s.frequencies(terms)}}) })
		tm("count", i, func() { x.all(ctx, []query{{s.routing(), object{"size": 0, "query": s.only()}}}) })
		tm("knn", i, func() { x.all(ctx, []query{{s.routing(), s.nearest(&q, "2s")}}) })
		tm("lex+cos+others", i, func() { x.one(ctx, query{s.routing(), s.matching(&q, terms, st, known, "2s")}) })
		tm("lex+cos", i, func() { x.one(ctx, query{s.routing(), s.matching(&q, terms, st, nil, "2s")}) })
		q2 := q; q2.Vector = nil
		tm("lex", i, func() { x.one(ctx, query{s.routing(), s.matching(&q2, terms, st, nil, "2s")}) })
		tm("lex+others", i, func() { x.one(ctx, query{s.routing(), s.matching(&q2, terms, st, known, "2s")}) })
		q3 := q2; q3.Plain = true
		tm("lexplain", i, func() { x.one(ctx, query{s.routing(), s.matching(&q3, terms, st, nil, "2s")}) })
		q4 := q2; q4.Lexical = 1
		tm("lex1", i, func() { x.one(ctx, query{s.routing(), s.matching(&q4, terms, st, nil, "2s")}) })
	}
	for k, v := range sums { t.Log(k, v/time.Duration(n-150)) }
	if os.Getenv("KEEP") != "" { time.Sleep(5*time.Minute) }
}
