package recall

import (
	"context"
	"fmt"
	"testing"

	"holdfast/internal/memory"
	"holdfast/internal/recall/rerank"
	"holdfast/internal/store"
)

// trips counts reads of the table.
type trips struct {
	store.Store
	n int
}

func (s *trips) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	s.n++
	return s.Store.Get(ctx, key)
}

func (s *trips) GetMany(ctx context.Context, at []store.Key) ([]*store.Item, error) {
	s.n++
	return s.Store.GetMany(ctx, at)
}

func (s *trips) Query(ctx context.Context, q store.Query) (store.Page, error) {
	s.n++
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
