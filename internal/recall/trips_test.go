package recall

import (
	"context"
	"fmt"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/memory"
	"holdfast/internal/recall/rerank"
	"holdfast/internal/store"
)

// trips counts reads of the table, and fails one, or has it hang.
type trips struct {
	store.Store
	n, fail, hang int // fail and hang: which one; 0: none
}

func (s *trips) next(ctx context.Context) error {
	switch s.n++; s.n {
	case s.fail:
		return errAway
	case s.hang:
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

func (s *trips) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	if err := s.next(ctx); err != nil {
		return store.Item{}, false, err
	}
	return s.Store.Get(ctx, key)
}

func (s *trips) GetMany(ctx context.Context, at []store.Key) ([]*store.Item, error) {
	if err := s.next(ctx); err != nil {
		return nil, err
	}
	return s.Store.GetMany(ctx, at)
}

func (s *trips) Query(ctx context.Context, q store.Query) (store.Page, error) {
	if err := s.next(ctx); err != nil {
		return store.Page{}, err
	}
	return s.Store.Query(ctx, q)
}

// An option that is off costs nothing, and one that is on few reads.
func TestOptionsCostFewRoundTrips(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.add(fmt.Sprintf("Ferry %d.", i), inRun(fmt.Sprint("r", i%2)), alone)
	}
	w.add("Lunch.", inRun("r1"), alone)
	w.sync(here)
	s := &trips{Store: w.Store}
	w.Store, w.Memories.Store, w.Reranker = s, s, rerank.Cross{}
	const plain = 3 // head of the log, floors, entries
	long := start.Add(-1)
	for name, one := range map[string]struct {
		change func(*Request)
		want   int
	}{
		"plain": {func(*Request) {}, plain}, "explain": {explained, plain}, "rerank": {reranking, plain}, "window": {between(&long, nil), plain},
		"superseded": {withSuperseded, plain}, "anchor": {anchored(start), plain}, "overrides": {overriding(Overrides{CandidateCount: new(9)}), plain},
		"a run": {inRunOf("r1"), plain}, "as of now": {asOf(memory.BothAxes, w.clock.Now()), plain},
		"a user": {asUser("ida"), plain + 1}, "two sessions": {expanding(2, 1), plain + 2*2 + 1},
	} {
		s.n = 0
		if w.ask("ferry", in(Lexical), most(2), one.change); s.n != one.want {
			t.Errorf("%s: %d reads, want %d", name, s.n, one.want)
		}
	}
}

// Whichever read fails, with every option on, there is an error and no part of an
// answer, and no receipt.
func TestEveryReadThatFailsIsTold(t *testing.T) {
	w := newWorld(t)
	summary := w.add("They planned the regatta.")
	id := w.add("The ferry has a bell.", inRun("r1"), alone)
	w.add("Lunch.", inRun("r1"), alone)
	w.add("Ida likes the ferry.", ofUser("ida"), ofType("preference"))
	w.store(here, floor("Sign the register."))
	then := w.clock.Now()
	w.update(id, "The ferry has a horn.")
	w.sync(here)
	w.update(id, "The ferry has a mast.")
	w.Runs = &runs{summaries: map[string][]string{"r1": {summary}}}
	s := &trips{Store: w.Store}
	w.Store, w.Memories.Store = s, s
	r := question("ferry", inRunOf("r1"), asUser("ida"), asOf(memory.RecordedAxis, then), expanding(1, 2), explained, withSuperseded)
	if _, err := w.Retrieve(t.Context(), r); err != nil || s.n < 10 {
		t.Fatalf("%v after %d reads", err, s.n)
	}
	for fail, all := 1, s.n; fail <= all; fail++ {
		s.n, s.fail, w.journal.all = 0, fail, nil
		c, err := w.Retrieve(t.Context(), r)
		if !errs.Is(err, errs.Unavailable) || c.ReceiptID != "" || c.Diagnostics != nil || len(w.journal.all) != 0 {
			t.Errorf("read %d: %v, %+v", fail, err, c)
		}
	}
}
