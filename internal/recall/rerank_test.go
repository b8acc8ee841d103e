package recall

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/recall/rerank"
	"holdfast/internal/search/analysis"
)

// scorer has opinions of its own.
type scorer struct {
	opinion func(text string) float64
	fail    error
	slow    bool
	short   bool
	seen    []rerank.Text
}

func (s *scorer) Name() string { return "test" }

func (s *scorer) Scores(ctx context.Context, _ analysis.Question, texts []rerank.Text) ([]float64, error) {
	s.seen = texts
	if s.slow {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	out := make([]float64, len(texts))
	for i, text := range texts {
		out[i] = s.opinion(text.Text)
	}
	if s.short {
		out = out[1:]
	}
	return out, s.fail
}

func reranking(r *Request) { r.Rerank = true }

func likes(word string) func(string) float64 {
	return func(text string) float64 {
		if strings.Contains(text, word) {
			return 1
		}
		return 0
	}
}

func TestR011TheSecondScorerOrdersAndScoresStayAbsolute(t *testing.T) {
	w := newWorld(t)
	for i := range 70 {
		w.add(fmt.Sprintf("The quarry sells slate number %d.", i))
	}
	wanted := w.add("The quarry of the brothers by the river in the far north sells gravel and slate.")
	w.sync(here)
	plain := w.ask("quarry sells slate", most(100), explained)
	s := &scorer{opinion: likes("gravel")}
	w.Reranker = s
	for _, mode := range []Mode{Hybrid, Lexical, Semantic} {
		c := w.ask("quarry sells slate", in(mode), most(100), reranking, explained)
		if len(s.seen) != reranked || len(c.ids()) != 71 {
			t.Errorf("%s: %d seen, %d answered", mode, len(s.seen), len(c.ids()))
		}
		if !c.Diagnostics.Rerank.Ran || c.Diagnostics.Rerank.Scorer != "test" || c.Diagnostics.Rerank.Reason != "" {
			t.Errorf("%+v", c.Diagnostics.Rerank)
		}
		checkOrder(t, Context{Sections: c.Sections})
		for _, e := range c.Sections[WorkspaceEntries] {
			if e.Score < 0 || e.Score > 1 {
				t.Errorf("%s: score %v", mode, e.Score)
			}
		}
	}
	for _, e := range plain.Diagnostics.Entries {
		if e.First != e.Last {
			t.Errorf("%+v moved without a second scorer", e)
		}
	}
	c := w.ask("quarry sells slate", in(Lexical), most(1), func(r *Request) { r.Query = "quarry slate river north" }, reranking)
	if got := c.ids(); !slices.Equal(got, []string{wanted}) {
		t.Errorf("first %v, want %s", got, wanted)
	}
}

// A second scorer knows nothing of time: what a newer statement stands before stays behind it.
func TestR011TheSecondScorerPutsNothingBeforeWhatReplacesIt(t *testing.T) {
	for _, newer := range []string{"We set the default timeout to 60 seconds.", "Since the incident the default timeout has been 60 seconds."} {
		w := newWorld(t)
		w.add("The default timeout is 30 seconds.", alone)
		w.clock.Advance(time.Hour)
		id := w.add(newer, alone)
		w.sync(here)
		w.Reranker = &scorer{opinion: likes("30")}
		if got := w.ask("What is the default timeout?", reranking, raw).ids(); len(got) != 2 || got[0] != id {
			t.Errorf("%s: %q", newer, got)
		}
	}
}

func TestR032PlacesBeforeAndAfterAreTold(t *testing.T) {
	w := newWorld(t)
	low := w.add("The slate roof of the old barn leaks.")
	high := w.add("The slate.")
	w.sync(here)
	w.Reranker = &scorer{opinion: likes("barn")}
	c := w.ask("quarry slate", in(Lexical), reranking, explained)
	plain := w.ask("quarry slate", in(Lexical))
	if !slices.Equal(plain.ids(), []string{high, low}) || !slices.Equal(c.ids(), []string{low, high}) {
		t.Fatalf("%v, then %v", plain.ids(), c.ids())
	}
	want := map[string][2]int{low: {2, 1}, high: {1, 2}}
	for _, e := range c.Diagnostics.Entries {
		if [2]int{e.First, e.Last} != want[e.ID] || e.Parts == nil || e.Parts.Lexical <= 0 || !slices.Equal(e.Arms, []string{"lexical"}) {
			t.Errorf("%+v", e)
		}
		before, after := scoreOf(plain, e.ID), scoreOf(c, e.ID)
		if got := e.Parts.Second; got == 0 || math.Abs(before+got-after) > 1e-12 {
			t.Errorf("%v and %v for the second scorer are no %v", before, got, after)
		}
	}
}

func scoreOf(c Context, id string) float64 {
	for _, e := range c.Sections[WorkspaceEntries] {
		if e.Memory.ID == id {
			return e.Score
		}
	}
	return -1
}

// The least score is of the final score.
func TestR012TheLeastScoreIsOfTheSecondScorersScore(t *testing.T) {
	w := newWorld(t)
	id := w.add("The quarry sells slate.")
	w.sync(here)
	score := w.ask("quarry slate river", in(Lexical)).Sections[WorkspaceEntries][0].Score
	for opinion, shown := range map[float64]bool{0: false, .4: false, .5: true, 1: true} {
		w.Reranker = &scorer{opinion: func(string) float64 { return opinion }}
		c := w.ask("quarry slate river", in(Lexical), reranking, least(score-1e-9), explained)
		if got := slices.Contains(c.ids(), id); got != shown {
			t.Errorf("opinion %v: shown %v", opinion, got)
		}
		if removed := slices.Contains(c.Diagnostics.Removed, Removed{ByScore, 1}); removed == shown {
			t.Errorf("opinion %v: %+v", opinion, c.Diagnostics.Removed)
		}
	}
}

func TestR011WithoutAnAnswerTheOrderStays(t *testing.T) {
	w := newWorld(t)
	w.add("The quarry sells slate.")
	w.add("The quarry closes at five.")
	w.sync(here)
	want := w.ask("quarry slate").bytes(t)
	one := func(string) float64 { return 1 }
	for name, s := range map[string]*scorer{
		"none":        nil,
		"fails":       {opinion: one, fail: errors.New("away")},
		"too few":     {opinion: one, short: true},
		"over 1":      {opinion: func(string) float64 { return 1.1 }},
		"under 0":     {opinion: func(string) float64 { return -.1 }},
		"no number":   {opinion: func(string) float64 { return math.NaN() }},
		"out of time": {slow: true},
	} {
		if w.Reranker = nil; s != nil {
			w.Reranker = s
		}
		w.RerankTime = time.Millisecond
		c := w.ask("quarry slate", reranking, explained)
		if r := c.Diagnostics.Rerank; !r.Asked || r.Ran || r.Reason == "" || (r.Scorer == "") != (s == nil) {
			t.Errorf("%s: %+v", name, r)
		}
		if got := c.bytes(t); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	w.Reranker = &scorer{opinion: one}
	if r := w.ask("nothing of this at all", in(Lexical), reranking, explained).Diagnostics.Rerank; r.Ran {
		t.Errorf("ran over nothing: %+v", r)
	}
	if r := w.ask("quarry", in(Deterministic), reranking, explained).Diagnostics.Rerank; r.Ran || r.Reason == "" {
		t.Errorf("ran in deterministic mode: %+v", r)
	}
	if r := w.ask("quarry", explained).Diagnostics.Rerank; r.Asked || r.Ran || r.Reason != "" {
		t.Errorf("not asked: %+v", r)
	}
}
