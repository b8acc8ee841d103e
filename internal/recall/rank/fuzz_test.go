package rank

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/search/searchtest"
)

// around makes candidates, statistics and options that have to do with a question.
func around(random *rand.Rand, q analysis.Question) ([]Candidate, search.Stats, Options) {
	words := append([]string{"kiln", "Nora", "yesterday", "in May 2031", ""}, q.Words...)
	word := func() string { return words[random.IntN(len(words))] }
	stats := search.Stats{Documents: random.IntN(100), AvgLength: 9, DF: map[string]int{}}
	for _, term := range q.Terms {
		stats.DF[term] = random.IntN(150) // more than there are: an index between two states
	}
	candidates := make([]Candidate, random.IntN(60))
	for i := range candidates {
		c := randomCandidate(random, i)
		c.ID = fmt.Sprintf("%02d", i)
		if random.IntN(2) == 0 {
			c.Text, c.Speaker, c.Session = word()+" "+word(), word(), word()
		}
		if random.IntN(4) == 0 {
			c.Lexical, c.Cosine, c.Importance, c.EventAt = 1e9, float64(random.IntN(3)-1), nil, time.Time{}
		}
		c.Past, c.Tags = random.IntN(3) == 0, map[string]string{"env": word()}
		candidates[i] = c
	}
	o := Options{Mode: Mode(random.IntN(4)), LexicalShare: 3*random.Float64() - 1, Floor: 1.2 * random.Float64(),
		ImportanceWeight: 3*random.Float64() - 1, RecencyWeight: 3*random.Float64() - 1, HalfLife: time.Duration(random.IntN(2)), Framed: random.IntN(2) == 0}
	if random.IntN(3) > 0 {
		o.Anchor = noon
	}
	return candidates, stats, o
}

// FuzzOrder: whatever is asked of whatever candidates, each is ranked once, scores lie
// in 0 to 1 and never rise, no more are kept than are wanted, and the order in which
// candidates come changes nothing.
func FuzzOrder(f *testing.F) {
	for i, bad := range searchtest.BadQueries() {
		f.Add(bad.Text, uint64(i))
	}
	f.Add("When did Nora open the kiln in May?", uint64(1))
	f.Add("what did I do yesterday, last week and 3 months ago?", uint64(2))
	f.Fuzz(func(t *testing.T, query string, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 4))
		q := analysis.Query(query)
		candidates, stats, o := around(random, q)
		named := func(at []int) (ids []string) {
			for _, i := range at {
				ids = append(ids, candidates[i].ID)
			}
			return ids
		}
		run := func() (ids []string, scores []float64, shortlist []string) {
			ranked := Order(q, candidates, stats, o)
			at := make([]int, len(ranked))
			for i, r := range ranked {
				at[i], scores = r.Index, append(scores, r.Score)
			}
			return named(at), scores, named(Shortlist(q, candidates, stats, o, len(candidates)))
		}
		ids, scores, shortlist := run()
		for i, score := range scores {
			if !(score >= 0 && score <= 1) || i > 0 && score > scores[i-1] {
				t.Fatalf("score %v after %v", score, scores[:i])
			}
		}
		for _, list := range [][]string{ids, shortlist} {
			if sorted := slices.Sorted(slices.Values(list)); len(slices.Compact(sorted)) != len(candidates) {
				t.Fatalf("%d of %d candidates", len(sorted), len(candidates))
			}
		}
		if k := random.IntN(70); !slices.Equal(named(Shortlist(q, candidates, stats, o, k)), shortlist[:min(k, len(shortlist))]) {
			t.Fatalf("the best %d are others than those of all", k)
		}
		random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		again, same, short := run()
		if !slices.Equal(ids, again) || !slices.Equal(scores, same) || !slices.Equal(shortlist, short) {
			t.Fatal("the order of the candidates changes the ranking")
		}
	})
}
