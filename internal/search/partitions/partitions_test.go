package partitions

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"holdfast/internal/tenant"
)

type shelf struct {
	sync.RWMutex
	ids map[string]bool
}

func (s *shelf) Holds(id string) bool { return s.ids[id] }
func (s *shelf) Len() int             { return len(s.ids) }

func TestScopesAreApart(t *testing.T) {
	here, there := tenant.Grant("t", "here"), tenant.Grant("t", "there")
	set := NewSet(func(tenant.Scope) *shelf { return &shelf{ids: map[string]bool{}} })
	if _, ok := set.Get(here); ok {
		t.Error("one is there before it was opened")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			p := set.Open(here)
			p.Lock()
			p.ids["a"] = true
			p.Unlock()
		})
	}
	group.Wait()
	for scope, want := range map[tenant.Scope]int{here: 1, there: 0} {
		has, err := set.Has(t.Context(), scope, "a")
		n, broke := set.Count(t.Context(), scope)
		if has != (want == 1) || n != want || err != nil || broke != nil {
			t.Errorf("%v: %v, %d, %v, %v", scope, has, n, err, broke)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, scope := range []tenant.Scope{here, there} {
		_, err := set.Has(ended, scope, "a")
		_, broke := set.Count(ended, scope)
		if !errors.Is(err, context.Canceled) || !errors.Is(broke, context.Canceled) {
			t.Errorf("%v, %v", err, broke)
		}
	}
}

func TestDeletesAreKnownForAMinute(t *testing.T) {
	var d Deletes
	at := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	d.Forget(at)
	d.Add("a", 7, at)
	d.Add("b", 7, at)
	d.Add("a", 9, at.Add(time.Second))
	for sequence, want := range map[int64]bool{8: true, 9: true, 10: false} {
		if d.Covers("a", sequence) != want {
			t.Errorf("an operation of %d is covered: %v", sequence, !want)
		}
	}
	d.Forget(at.Add(time.Minute + time.Millisecond)) // the older ones of each
	if !d.Covers("a", 9) || d.Covers("b", 7) || d.Len() != 1 {
		t.Errorf("%+v", d)
	}
	d.Drop("a")
	if d.Forget(at.Add(time.Hour)); d.Covers("a", 1) || d.Len()+len(d.list) != 0 {
		t.Errorf("%+v", d)
	}
}
