package memsearch

import (
	"testing"
	"time"

	"holdfast/internal/clock"
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
	if p := x.partition(scope); len(p.gone)+len(p.goneList) != 0 {
		t.Error("a forgotten delete still takes space")
	}
}

// A document that comes and goes leaves nothing behind.
func TestRemovalLeavesNothing(t *testing.T) {
	now := clock.NewFixed(start)
	x := New(now)
	ops := corpus(50)
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
	p := x.partition(benchScope)
	if len(p.byID)+len(p.sessions)+len(p.vectors)+len(p.words.terms.ids)+len(p.fields.keywords.ids)+len(p.fields.sets.ids) != 0 ||
		p.words.own+p.words.windowed+p.words.count != 0 || len(p.gone) != 1 {
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
		s, _ := x.scratch.Get().(*scratch)
		for i := range s.weight {
			if s.weight[i] != 0 || s.total[i] != 0 {
				t.Fatalf("passage %d keeps %d, %v", i, s.weight[i], s.total[i])
			}
		}
		if len(s.scored)+len(s.touched) != 0 {
			t.Fatal("lists are not empty")
		}
		x.scratch.Put(s)
	}
}
