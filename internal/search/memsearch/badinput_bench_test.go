package memsearch

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/search/searchtest"
	"holdfast/internal/tenant"
)

// longest is the most characters of a query.
const longest = searchtest.LongestQuery

// fillQuery adds words until the query is as long as may be.
func fillQuery(word func(i int) string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		next := word(i) + " "
		if b.Len()+len(next) > longest {
			return b.String()
		}
		b.WriteString(next)
	}
}

// BenchmarkLongQuery asks the lexical arm queries that are as long as may be, beside an
// ordinary one of six words. An answer is to take no longer than about three ordinary
// ones.
func BenchmarkLongQuery(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(random, 1.15, 8, 30000)
	text := fillQuery(func(int) string { return spell(zipf.Uint64()) })
	queries := []struct{ name, text string }{
		{"ordinary", strings.Join([]string{spell(3), spell(25), spell(90), spell(300), spell(1000), spell(7000)}, " ")},
		{"text", text},
		{"commonest", fillQuery(func(i int) string { return spell(uint64(i % search.MaxTerms)) })},
		{"common", fillQuery(func(i int) string { return spell(uint64(i)) })},
		{"rare", fillQuery(func(i int) string { return spell(uint64(20000 + i)) })},
		{"unknown", fillQuery(func(i int) string { return "x" + spell(uint64(i)) })},
		{"repeated", fillQuery(func(int) string { return spell(3) })},
	}
	for _, n := range []int{10_000, 100_000} {
		x := filled(b, n)
		for _, q := range queries {
			b.Run(fmt.Sprint(q.name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := x.Search(b.Context(), search.Query{
						Scopes: []tenant.Scope{benchScope}, Text: q.text, Lexical: 200,
						Filter: search.Filter{Field: "status", In: []string{"active"}}, Tallies: make([]search.Tally, 3),
					}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
