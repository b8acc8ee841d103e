package search_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/tenant"
)

func TestIDF(t *testing.T) {
	for _, c := range []struct {
		n, df int
		want  float64
	}{
		{0, 0, math.Log(2)}, {10, 0, math.Log(1 + 10.5/.5)}, {10, 10, math.Log(1 + .5/10.5)}, {3, 5, math.Log(1 + .5/5.5)},
	} {
		if got := search.IDF(c.n, c.df); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("IDF(%d, %d) = %v, want %v", c.n, c.df, got, c.want)
		}
	}
}

func TestSaturationRisesWithWeightAndFallsWithLength(t *testing.T) {
	curve := search.NewSaturation(10)
	if got := curve.Of(10, 100); math.Abs(got-1) > 1e-12 {
		t.Errorf("one occurrence at the average length counts %v, want 1", got)
	}
	if curve.Of(0, 100) != 0 || curve.Of(20, 100) <= curve.Of(10, 100) || curve.Of(10, 200) >= curve.Of(10, 100) {
		t.Error("the curve is not monotone")
	}
	if got := curve.Of(1_000_000, 0); got > search.K1+1 {
		t.Errorf("limit passed: %v", got)
	}
	if got := search.NewSaturation(0).Of(10, 0); math.Abs(got-1) > 1e-12 {
		t.Errorf("without an average: %v, want 1", got)
	}
}

func TestIsRole(t *testing.T) {
	for speaker, want := range map[string]bool{"user": true, " Assistant ": true, "TOOL": true, "": false, "Nora": false, "users": false} {
		if got := search.IsRole(speaker); got != want {
			t.Errorf("IsRole(%q) = %v", speaker, got)
		}
	}
}

// A passage scored outside scores what the index says of the same text.
func TestPassageScoresAsTheIndexDoes(t *testing.T) {
	scope := tenant.Grant("t", "w")
	texts := []string{
		"The ferry to Sula leaves at nine.",
		"Is there a later ferry?",
		strings.Repeat("Gulls follow every boat. ", 60) + "A ferry goes at noon, said the captain.",
		"Good, then we meet the captain at the pier.",
		"Bring rope for the boat.",
	}
	x := memsearch.New(clock.NewFixed(time.Unix(0, 0)))
	ops := make([]search.Op, len(texts))
	for i, text := range texts {
		ops[i].Document = search.Document{Scope: scope, ID: string(rune('a' + i)), Sequence: 1, Text: text, Speaker: "Captain Ruud", Session: "s"}
	}
	x.Apply(t.Context(), ops)
	query := "when does the captain's ferry leave"
	answer, err := x.Search(t.Context(), search.Query{Scopes: []tenant.Scope{scope}, Text: query, Lexical: 9})
	if err != nil || len(answer.Hits) != len(texts) {
		t.Fatalf("%d hits, %v", len(answer.Hits), err)
	}
	text := func(i int) string {
		if i < 0 || i >= len(texts) {
			return ""
		}
		return texts[i]
	}
	for _, h := range answer.Hits {
		i := int(h.ID[0] - 'a')
		p := search.Passage{Text: texts[i], Speaker: "Captain Ruud", Previous: text(i - 1), Second: text(i - 2), Next: text(i + 1)}
		if got := p.Score(analysis.Terms(query), answer.Stats); got != h.Lexical {
			t.Errorf("passage %d scores %v, the index says %v", i, got, h.Lexical)
		}
	}
}
