package memsearch

import (
	"context"
	"errors"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// A search whose turn does not come ends with its context; turns that are given back
// are taken again, with their working space.
func TestASearchWaitsForItsTurn(t *testing.T) {
	x := New(clock.NewFixed(start))
	x.Apply(t.Context(), corpus(10))
	q := search.Query{Scopes: []tenant.Scope{benchScope}, Text: spell(3), Lexical: 5}
	var taken []*run
	for range cap(x.turns.room) {
		r, err := x.turns.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := x.Search(ctx, q)
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("a search without a turn: %v", err)
	}
	for _, r := range taken {
		x.turns.give(r)
	}
	if _, err := x.Search(t.Context(), q); err != nil {
		t.Error(err)
	}
	if again, err := x.turns.take(t.Context()); err != nil || again != taken[len(taken)-1] {
		t.Errorf("another working space than the last one, %v", err)
	}
}
