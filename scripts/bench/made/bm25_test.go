package made

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// bm25 ranks texts as any plain full-text search does: lower-case words, no stems, no
// stop words, k1 1.2, b .75. It tells how hard a set is, without our own ranking.
type bm25 struct {
	counts []map[string]int
	length []float64
	mean   float64
	in     map[string]int
}

func newBM25(texts []string) *bm25 {
	x := &bm25{in: make(map[string]int)}
	for _, text := range texts {
		counts := make(map[string]int)
		all := words(text)
		for _, w := range all {
			counts[w]++
		}
		for w := range counts {
			x.in[w]++
		}
		x.counts, x.length = append(x.counts, counts), append(x.length, float64(len(all)))
		x.mean += float64(len(all)) / float64(len(texts))
	}
	return x
}

// first are the places of the best n texts.
func (x *bm25) first(query string, n int) []int {
	score := make([]float64, len(x.counts))
	order := make([]int, len(x.counts))
	for i := range order {
		order[i] = i
		for _, w := range words(query) {
			f, df := float64(x.counts[i][w]), float64(x.in[w])
			idf := math.Log(1 + (float64(len(order))-df+.5)/(df+.5))
			score[i] += idf * f * 2.2 / (f + 1.2*(.25+.75*x.length[i]/x.mean))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order[:n]
}

// searched counts the pairs of which plain search finds the newer statement, and has it
// first.
func searched(t *testing.T, h Half) (found, first int) {
	var all []string
	for _, s := range h.Statements {
		all = append(all, s.Speaker+" "+s.Text)
	}
	x := newBM25(all)
	for _, p := range h.Pairs {
		got := x.first(p.Question, 10)
		if slices.Contains(got, p.Newer) {
			found++
		}
		if got[0] == p.Newer {
			first++
		}
	}
	t.Logf("%s: %d statements, plain BM25 finds %d of the newer, %d first", h.Title(), len(all), found, first)
	return found, first
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
