package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"holdfast/internal/recall/rerank"
	"holdfast/internal/search/searchtest"
)

// Whatever is asked, there is an answer: at most topN entries and their neighbours, best
// first, with scores from 0 to 1, in every mode, with all that an option adds.
func TestBadQueriesAreAnsweredInEveryMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fleet()
	for i, bad := range searchtest.BadQueries() {
		if !strings.ContainsFunc(bad.Text, unicode.IsControl) {
			w.add("It was said: "+bad.Text, inRun(fmt.Sprint("run", i%3)), alone)
		}
	}
	w.sync(here, sibling)
	w.add("The ferry in the overlay, kiln and door, 窯の扉, 🔥.", alone)
	w.Reranker = rerank.Cross{}
	everything := []func(*Request){most(7), expanding(2, 2), explained, func(r *Request) { r.Rerank = r.Mode != Deterministic }}
	for _, bad := range searchtest.BadQueries() {
		t.Run(bad.Name, func(t *testing.T) {
			for _, mode := range modes {
				c := w.ask(bad.Text, append(everything, in(mode))...)
				checkAnswer(t, c, mode)
				if mode != Deterministic {
					continue
				}
				if again := w.ask(bad.Text, append(everything, in(mode))...); again.bytes(t) != c.bytes(t) {
					t.Error("another answer the second time")
				}
			}
		})
	}
}

func checkAnswer(t *testing.T, c Context, mode Mode) {
	t.Helper()
	found := 0
	for s, entries := range c.Sections {
		for i, e := range entries {
			if !(e.Score >= 0 && e.Score <= 1) || i > 0 && e.Score > entries[i-1].Score {
				t.Errorf("%s, %s: entry %d scores %v", mode, s, i, e.Score)
			}
		}
	}
	for _, e := range c.Diagnostics.Entries {
		if e.First > 0 && !slices.Equal(e.Arms, []string{"expansion"}) {
			found++
		}
	}
	if found > 7+c.Diagnostics.Numbers.Expanded {
		t.Errorf("%s: %d entries were found", mode, found)
	}
	for _, a := range c.Arms {
		if a.State == Degraded {
			t.Errorf("%s: %+v", mode, a)
		}
	}
}

// Of texts alike the newest come first, as many as are asked for, however they came to
// the index.
func TestIdenticalTextsAreAnsweredNewestFirst(t *testing.T) {
	for round := range 2 {
		w := newWorld(t)
		var ids []string
		for i := range 60 {
			ids = append(ids, w.add("The ferry has a bell.", alone, since(start.AddDate(0, 0, -1-i)))) // of one day they would be one
			if round == 0 && i%9 == 0 {                                                                // all at once, or bit by bit
				w.sync(here)
			}
		}
		w.sync(here)
		slices.Reverse(ids)
		for _, mode := range modes {
			for _, n := range []int{1, 7, 59, 60, 200} {
				for range 2 {
					if got := w.ask("ferry bell", in(mode), most(n), raw).ids(); !slices.Equal(got, ids[:min(n, len(ids))]) {
						t.Errorf("%s, %d: %d entries, the first %s", mode, n, len(got), got[0])
					}
				}
			}
		}
	}
}

// A corpus of one entry, of none, and of one that is gone.
func TestSmallCorporaAreAnswered(t *testing.T) {
	w := newWorld(t)
	for _, mode := range modes {
		w.ask("ferry", in(mode)).holds(t)
	}
	id := w.add("The ferry has a bell.", inRun("r1"), alone)
	for range 2 { // in the overlay, then in the index
		for _, mode := range modes {
			w.ask("ferry", in(mode), expanding(2, 2)).holds(t, id)
		}
		w.sync(here)
	}
	w.delete(here, id)
	for range 2 {
		for _, mode := range modes {
			w.ask("ferry", in(mode), expanding(2, 2)).holds(t)
		}
		w.sync(here)
	}
}

// BenchmarkBadQueries tells what bad queries cost at 10,000 memories beside an ordinary
// one, in processor time: the slowest of them, by mode, as a multiple.
func BenchmarkBadQueries(b *testing.B) {
	w, _ := benchWorld(b)
	r, known := rand.New(rand.NewPCG(5, 6)), ""
	for len(known) < searchtest.LongestQuery {
		known += benchText(r) + " "
	}
	queries := append([]searchtest.BadQuery{
		{Name: "ordinary", Text: "Which captain saw the storm from the harbour at dawn?"}, {Name: "known words", Text: known[:searchtest.LongestQuery]},
	}, searchtest.BadQueries()...)
	for _, mode := range modes {
		b.Run(string(mode), func(b *testing.B) {
			took := make([][]time.Duration, len(queries))
			for b.Loop() {
				for i, q := range queries {
					before := processorTime(b)
					w.ask(q.Text, in(mode), reranking)
					took[i] = append(took[i], processorTime(b)-before)
				}
				w.index.asked = w.index.asked[:0]
			}
			slowest := 1
			for i := range took {
				slices.Sort(took[i])
				if i > 0 && took[i][len(took[i])/2] > took[slowest][len(took[slowest])/2] {
					slowest = i
				}
			}
			ordinary, most := took[0][len(took[0])/2], took[slowest][len(took[slowest])/2]
			b.ReportMetric(float64(ordinary.Microseconds()), "ordinary-p50-µs")
			b.ReportMetric(float64(most)/float64(ordinary), "slowest-times")
			b.Logf("slowest: %s, %v", queries[slowest].Name, most)
		})
	}
}
