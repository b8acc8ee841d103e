package memwords

import (
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search/words"
	"holdfast/internal/search/words/wordstest"
	"holdfast/internal/tenant"
)

var start = time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)

func TestConformance(t *testing.T) {
	wordstest.Run(t, func(*testing.T) words.Index { return New(clock.NewFixed(start)) })
}

// FuzzAgreesWithNaiveEvaluation: whatever is written, the answer is that of the formula.
func FuzzAgreesWithNaiveEvaluation(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, byte(25*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, operations byte) {
		wordstest.Agree(t, New(clock.NewFixed(start)), seed, int(operations))
	})
}

func TestDeletesAreForgottenAfterAMinute(t *testing.T) {
	now := clock.NewFixed(start)
	x := New(now)
	scope := tenant.Grant("t", "w")
	d := words.Document{Scope: scope, Space: "s", ID: "1", Sequence: 1, Text: "kiln"}
	has := func() bool {
		ok, err := x.Has(t.Context(), scope, "1")
		return ok && err == nil
	}
	x.Apply(t.Context(), []words.Op{{Delete: true, Document: words.Document{Scope: scope, ID: "1", Sequence: 5}}})
	now.Advance(time.Minute)
	if x.Apply(t.Context(), []words.Op{{Document: d}}); has() {
		t.Error("a delete within a minute was forgotten")
	}
	now.Advance(time.Millisecond)
	if x.Apply(t.Context(), []words.Op{{Document: d}}); !has() {
		t.Error("a delete is remembered for more than a minute")
	}
	if p, _ := x.partitions.Get(scope); p.deletes.Len() != 0 {
		t.Error("a forgotten delete still takes space")
	}
}

// Documents that come and go leave nothing behind.
func TestRemovalLeavesNothing(t *testing.T) {
	now := clock.NewFixed(start)
	x := New(now)
	ops := corpus(2000)
	s := (*space)(nil)
	for round := range int64(3) {
		for i := range ops {
			ops[i].Delete, ops[i].Document.Sequence = false, 2*round+1
		}
		x.Apply(t.Context(), ops)
		s = x.partitions.Open(benchScope).spaces["desk"]
		if s.count != 2000 || len(s.terms.blocks) < 2 {
			t.Fatalf("%d documents, %d blocks", s.count, len(s.terms.blocks))
		}
		for i := range ops {
			ops[i].Delete, ops[i].Document.Sequence = true, 2*round+2
		}
		x.Apply(t.Context(), ops)
	}
	now.Advance(2 * time.Minute)
	x.Apply(t.Context(), []words.Op{{Delete: true, Document: words.Document{Scope: benchScope, ID: "x"}}})
	p, _ := x.partitions.Get(benchScope)
	if len(p.byID)+len(p.spaces) != 0 || p.deletes.Len() != 1 {
		t.Errorf("%d documents, %d spaces, %d deletes", len(p.byID), len(p.spaces), p.deletes.Len())
	}
	if s.count+len(s.terms.ids)+len(s.terms.blocks)+len(s.folders.ids)+len(s.tags.ids)+len(s.sums) != 0 {
		t.Errorf("something is left: %d words, %d folders, %d sums", len(s.terms.ids), len(s.folders.ids), len(s.sums))
	}
}
