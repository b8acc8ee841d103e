package faultstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/memstore"
	"holdfast/internal/store/storetest"
)

func TestContractWithoutAFault(t *testing.T) {
	storetest.Run(t, func(testing.TB) store.Store { return faultstore.New(memstore.New()) }, scanExceptions()...)
}

// scanExceptions: use cases do not scan, so there is no fault for it.
func scanExceptions() []storetest.Exception {
	var all []storetest.Exception
	for _, sentence := range storetest.Sentences()[len(storetest.Sentences())-3:] {
		all = append(all, storetest.Exception{Sentence: sentence, Reason: "the wrapper is no Scanner"})
	}
	return all
}

func put(sk string) store.Tx {
	return store.Tx{Actions: []store.Action{store.PutItem("put", store.Item{Key: store.Key{PK: "p", SK: sk}}, nil)}}
}

func TestTheArmedCallFailsAndNoOther(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  faultstore.Fault
		failed []int // of five commits, each after a Get
		there  []int // of the failed ones, what took effect
	}{
		{"second", faultstore.Fault{At: 2, Ops: []faultstore.Op{faultstore.Commit}}, []int{1}, nil},
		{"second, after", faultstore.Fault{At: 2, Ops: []faultstore.Op{faultstore.Commit}, After: true}, []int{1}, []int{1}},
		{"two in a row", faultstore.Fault{At: 3, Times: 2, Ops: []faultstore.Op{faultstore.Commit}, Err: store.ErrConflict}, []int{2, 3}, nil},
		{"of all calls", faultstore.Fault{At: 4}, []int{1}, nil},
		{"beyond the last", faultstore.Fault{At: 11}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner := memstore.New()
			s := faultstore.New(inner)
			s.Arm(c.fault)
			failed, there := fiveCommits(t, s, inner, c.fault)
			if !slices.Equal(failed, c.failed) || !slices.Equal(there, c.there) || s.Fired() != len(failed) {
				t.Fatalf("failed %v, took effect %v, fired %d", failed, there, s.Fired())
			}
			if s.Calls() != 10 || s.Calls(faultstore.Commit) != 5 {
				t.Fatalf("%d calls, %d commits", s.Calls(), s.Calls(faultstore.Commit))
			}
		})
	}
}

// Somebody else may do something before a call, which goes on.
func TestThenIsDoneBeforeTheCall(t *testing.T) {
	inner := memstore.New()
	s := faultstore.New(inner)
	s.Arm(faultstore.Fault{At: 2, Then: func() {
		if err := inner.Commit(t.Context(), put("theirs")); err != nil {
			t.Error(err)
		}
	}})
	for i, want := range []bool{false, true, true} {
		if _, found, err := s.Get(t.Context(), store.Key{PK: "p", SK: "theirs"}); found != want || err != nil {
			t.Errorf("call %d: found %v, %v", i+1, found, err)
		}
	}
	if s.Fired() != 1 {
		t.Errorf("fired %d times", s.Fired())
	}
}

func fiveCommits(t *testing.T, s, inner store.Store, f faultstore.Fault) (failed, there []int) {
	t.Helper()
	want := f.Err
	if want == nil {
		want = faultstore.ErrUnavailable
	}
	for n := range 5 {
		key := store.Key{PK: "p", SK: fmt.Sprint(n)}
		if _, _, err := s.Get(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		err := s.Commit(t.Context(), put(key.SK))
		_, found, reading := inner.Get(t.Context(), key)
		switch {
		case reading != nil || err == nil && !found || err != nil && !errors.Is(err, want):
			t.Fatal(err, found, reading)
		case err != nil:
			failed = append(failed, n)
			if found {
				there = append(there, n)
			}
		}
	}
	return failed, there
}

func TestDisarmedNothingFails(t *testing.T) {
	s := faultstore.New(memstore.New())
	s.Arm(faultstore.Fault{At: 1, Times: 100})
	s.Disarm()
	if err := s.Commit(t.Context(), put("s")); err != nil || s.Fired() != 0 {
		t.Fatal(err, s.Fired())
	}
}

func TestReadsFailEmpty(t *testing.T) {
	for _, after := range []bool{false, true} {
		s := faultstore.New(memstore.New())
		if err := s.Commit(t.Context(), put("s")); err != nil {
			t.Fatal(err)
		}
		s.Arm(faultstore.Fault{At: 1, Times: 4, After: after})
		item, found, err := s.Get(t.Context(), store.Key{PK: "p", SK: "s"})
		many, errMany := s.GetMany(t.Context(), []store.Key{{PK: "p", SK: "s"}})
		page, errQuery := s.Query(t.Context(), store.Query{PK: "p"})
		due, errDue := s.Due(t.Context(), store.DueQuery{})
		for _, err := range []error{err, errMany, errQuery, errDue} {
			if !errors.Is(err, faultstore.ErrUnavailable) {
				t.Error(err)
			}
		}
		if found || item.Attrs != nil || many != nil || page.Items != nil || due.Items != nil {
			t.Error("a failed read answered something")
		}
	}
}

func TestAPromiseOfNothingCannotComeAfterTheEffect(t *testing.T) {
	for _, err := range []error{store.ErrThrottled, store.ErrConflict, store.ErrClosed, &store.ConditionError{}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v was armed", err)
				}
			}()
			faultstore.New(memstore.New()).Arm(faultstore.Fault{At: 1, After: true, Err: err})
		}()
	}
}

func TestSweepMeetsEveryCall(t *testing.T) {
	runs, failed := 0, 0
	faultstore.Sweep(t, func(testing.TB) store.Store { return memstore.New() }, func(t *testing.T, s *faultstore.Store) {
		runs++
		_, _, reading := s.Get(t.Context(), store.Key{PK: "p", SK: "s"})
		writing := s.Commit(t.Context(), put("s"))
		if reading != nil || writing != nil {
			failed++
		}
	})
	// Two calls fail in each of three kinds, one in that of commits alone; each
	// kind ends with a run without a fault.
	if runs != 11 || failed != 7 {
		t.Fatalf("%d runs, %d with a fault", runs, failed)
	}
}
