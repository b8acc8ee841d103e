package work_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/work"
)

func bothCursors(t *testing.T) map[string]work.Cursors {
	return map[string]work.Cursors{
		"memory": work.NewMemoryCursors(),
		"table":  work.TableCursors{Store: filled(t), Consumer: "index"},
	}
}

func TestT20CursorsNeverGoBackAndAreEachScopesOwn(t *testing.T) {
	for name, c := range bothCursors(t) {
		for _, step := range []struct{ to, want int64 }{{0, 0}, {7, 7}, {3, 7}, {7, 7}, {0, 7}, {9, 9}} {
			if err := c.Advance(t.Context(), scope, step.to); err != nil {
				t.Fatal(err)
			}
			if at, err := c.Cursor(t.Context(), scope); err != nil || at != step.want {
				t.Errorf("%s: at %d after %d, want %d (%v)", name, at, step.to, step.want, err)
			}
		}
		if at, err := c.Cursor(t.Context(), other); at != 0 || err != nil {
			t.Errorf("%s: another scope is at %d, %v", name, at, err)
		}
	}
}

func TestT20CursorsOfConsumersAreApart(t *testing.T) {
	s := filled(t)
	one, two := work.TableCursors{Store: s, Consumer: "index"}, work.TableCursors{Store: s, Consumer: "index-v2"}
	if err := one.Advance(t.Context(), scope, 5); err != nil {
		t.Fatal(err)
	}
	if at, err := two.Cursor(t.Context(), scope); at != 0 || err != nil {
		t.Fatalf("%d, %v", at, err)
	}
}

func TestT20RacingAdvancesEndAtTheGreatest(t *testing.T) {
	for name, c := range bothCursors(t) {
		var group sync.WaitGroup
		for n := range 8 {
			group.Go(func() {
				r := rand.New(rand.NewPCG(uint64(n), 7))
				last := int64(0)
				for range 50 {
					if err := c.Advance(context.Background(), scope, r.Int64N(1000)); err != nil {
						t.Error(err)
					}
					at, err := c.Cursor(context.Background(), scope)
					if err != nil || at < last {
						t.Errorf("%s: %d after %d, %v", name, at, last, err)
					}
					last = at
				}
			})
		}
		group.Go(func() {
			if err := c.Advance(context.Background(), scope, 1000); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		if at, _ := c.Cursor(t.Context(), scope); at != 1000 {
			t.Errorf("%s: at %d in the end", name, at)
		}
	}
}

// Another process gets further between the look and the write.
func TestT20AnAdvanceThatWasOvertakenDoesNotGoBack(t *testing.T) {
	s := filled(t)
	c := work.TableCursors{Store: s, Consumer: "index"}
	if err := c.Advance(t.Context(), scope, 3); err != nil {
		t.Fatal(err)
	}
	hooked := &hookedStore{Store: s}
	hooked.before = func(store.Tx) {
		hooked.before = nil
		if err := c.Advance(t.Context(), scope, 9); err != nil {
			t.Error(err)
		}
	}
	slow := work.TableCursors{Store: hooked, Consumer: "index"}
	if err := slow.Advance(t.Context(), scope, 5); err != nil {
		t.Fatal(err)
	}
	if at, err := c.Cursor(t.Context(), scope); at != 9 || err != nil {
		t.Errorf("at %d, %v", at, err)
	}
}

func TestT20AFaultedAdvanceIsToldAndNeverLosesThePlace(t *testing.T) {
	for at := 1; at <= 4; at++ {
		s := faultstore.New(filled(t))
		c := work.TableCursors{Store: s, Consumer: "index"}
		if err := c.Advance(t.Context(), scope, 5); err != nil {
			t.Fatal(err)
		}
		s.Arm(faultstore.Fault{At: (at + 1) / 2, After: at%2 == 0})
		err := c.Advance(t.Context(), scope, 8)
		s.Disarm()
		if !errors.Is(err, faultstore.ErrUnavailable) {
			t.Errorf("fault %d: %v", at, err)
		}
		if got, err := c.Cursor(t.Context(), scope); err != nil || got != 5 && got != 8 {
			t.Errorf("fault %d: at %d, %v", at, got, err)
		}
	}
}
