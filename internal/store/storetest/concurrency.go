package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"holdfast/internal/store"
)

func concurrency() []clause {
	return []clause{
		{"ErrConflict means that another transaction was touching an item: nothing happened, try again.", conflicts},
		{"All of them happen or none, and no reader sees a part.", atomicReads},
		{"One caller's failure does not touch the commits of others.", manyCallers},
	}
}

// conflicts counts in one item from many callers, by reading and writing under a
// condition. Nothing is lost and nothing is counted twice.
func conflicts(t *testing.T, s *subject) {
	const callers, turns = 8, 10
	k := key("p", "counter")
	s.put(store.Item{Key: k, Attrs: store.Attrs{"n": store.N(0)}})
	inParallel(t, callers, func(ctx context.Context, who int) error {
		for turn := range turns {
			mark := item("marks", fmt.Sprint(who, "#", turn), nil)
			if err := countOnce(ctx, s.Store, k, mark); err != nil {
				return err
			}
		}
		return nil
	})
	same(t, "count", s.get(k).Attrs.Int("n"), callers*turns)
	same(t, "marks", len(s.all(store.Query{PK: "marks"})), callers*turns)
}

func countOnce(ctx context.Context, s store.Store, k store.Key, mark store.Item) error {
	for {
		it, _, err := s.Get(ctx, k)
		if err != nil {
			return err
		}
		n := it.Attrs["n"]
		it.Attrs = store.Attrs{"n": store.N(it.Attrs.Int("n") + 1)}
		err = s.Commit(ctx, tx(
			store.PutItem("moved", it, store.IfEqual("n", n)),
			store.PutItem("mark", mark, store.IfAbsent())))
		switch {
		case err == nil:
			return nil
		case store.Failed(err, "mark"):
			return fmt.Errorf("happened although it failed: %w", err)
		case !store.Failed(err, "moved") && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrThrottled):
			return err
		}
	}
}

// atomicReads moves an amount between two items of a partition while others read
// the partition: every page shows the whole amount.
func atomicReads(t *testing.T, s *subject) {
	const amount = 1000
	s.put(item("p", "a", store.Attrs{"n": store.N(amount)}), item("p", "b", store.Attrs{"n": store.N(0)}))
	inParallel(t, 4, func(ctx context.Context, who int) error {
		for turn := range 50 {
			if who%2 == 0 {
				n := int64(turn%7) - 3
				err := s.Commit(ctx, tx(
					store.AddTo("", key("p", "a"), map[string]int64{"n": -n}, nil),
					store.AddTo("", key("p", "b"), map[string]int64{"n": n}, nil)))
				if err != nil && !errors.Is(err, store.ErrConflict) {
					return err
				}
				continue
			}
			if err := readAmount(ctx, s.Store, amount); err != nil {
				return err
			}
		}
		return nil
	})
}

func readAmount(ctx context.Context, s store.Store, want int64) error {
	page, err := s.Query(ctx, store.Query{PK: "p"})
	if err != nil {
		return err
	}
	sum := int64(0)
	for _, it := range page.Items {
		sum += it.Attrs.Int("n")
	}
	if len(page.Items) != 2 || sum != want {
		return fmt.Errorf("%d items hold %d", len(page.Items), sum)
	}
	return nil
}

// manyCallers writes and reads from many callers: each finds its own items, and a
// caller whose condition fails does not disturb the others.
func manyCallers(t *testing.T, s *subject) {
	const callers, turns = 16, 8
	s.fill("shared", "s")
	inParallel(t, callers, func(ctx context.Context, who int) error {
		pk := fmt.Sprint("caller ", who)
		for turn := range turns {
			if err := s.Commit(ctx, tx(
				store.PutItem("", item(pk, fmt.Sprint("a", turn), nil), store.IfAbsent()),
				store.PutItem("", item(pk, fmt.Sprint("b", turn), nil), store.IfAbsent()))); err != nil {
				return err
			}
			err := s.Commit(ctx, tx(
				store.PutItem("", item(pk, "never", nil), nil),
				store.CheckItem("no", key("shared", "s"), store.IfAbsent())))
			if !store.Failed(err, "no") && !errors.Is(err, store.ErrConflict) {
				return fmt.Errorf("condition that does not hold: %w", err)
			}
			page, err := s.Query(ctx, store.Query{PK: pk})
			if err != nil || len(page.Items) != 2*(turn+1) {
				return fmt.Errorf("%d items after turn %d: %w", len(page.Items), turn, err)
			}
		}
		return nil
	})
	for who := range callers {
		same(t, "items", len(s.all(store.Query{PK: fmt.Sprint("caller ", who)})), 2*turns)
	}
}

// inParallel runs callers and answers the first error of any.
func inParallel(t *testing.T, callers int, run func(ctx context.Context, who int) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := make(chan error, callers)
	var all sync.WaitGroup
	for who := range callers {
		all.Go(func() {
			if err := run(ctx, who); err != nil {
				failed <- err
				cancel()
			}
		})
	}
	all.Wait()
	close(failed)
	if err := <-failed; err != nil {
		t.Fatal(err)
	}
}
