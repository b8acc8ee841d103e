package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"holdfast/internal/store"
)

func commits() []clause {
	return []clause{
		{"A Tx holds 1 to 100 actions on distinct keys and at most 4 MB.", commitLimits},
		{"Each action may have a condition and a label.", conditions},
		{"A condition sees the item as it was before the commit.", conditionsBefore},
		{"When conditions fail the error is a *ConditionError that names the labels of all that failed in the order of the actions.", labels},
		{"Put replaces the whole item.", putReplaces},
		{"Removing what is absent succeeds.", removeAbsent},
		{"Add creates item and attribute at 0 and leaves all else of the item as it was.", adds},
		{"Add to anything but a whole number, or beyond 64 bits, is ErrBadRequest.", badAdds},
		{"ErrTooLarge and ErrBadRequest never succeed when tried again.", neverSucceeds},
		{"Any other error leaves the outcome unknown: the caller must find out by reading (an idempotency record).", unknownOutcome},
	}
}

func commitLimits(t *testing.T, s *subject) {
	var actions []store.Action
	for n := range store.MaxActions + 1 {
		actions = append(actions, store.PutItem("", item("p", fmt.Sprint(n), nil), nil))
	}
	s.refused(store.ErrBadRequest)
	s.refused(store.ErrTooLarge, actions...)
	s.absent(key("p", "0"), key("p", "100"))
	s.commit(actions[:store.MaxActions]...)
	same(t, "items of one commit", len(s.all(store.Query{PK: "p"})), store.MaxActions)

	twice := item("twice", "s", nil)
	s.refused(store.ErrBadRequest, store.PutItem("", twice, nil), store.DeleteItem("", twice.Key, nil))
	s.refused(store.ErrBadRequest, store.CheckItem("", twice.Key, store.IfAbsent()), store.PutItem("", twice, nil))
	s.absent(twice.Key)
	commitBytes(t, s)
}

func commitBytes(t *testing.T, s *subject) {
	t.Helper()
	var actions []store.Action
	for n := range 12 { // 12 items of 390 KB are over 4 MB
		blob := store.Attrs{"blob": store.S(strings.Repeat("x", 390<<10))}
		actions = append(actions, store.PutItem("", item("big", fmt.Sprint("k", n), blob), nil))
	}
	s.refused(store.ErrTooLarge, actions...)
	s.absent(key("big", "k0"))
	s.commit(actions[:10]...)
	same(t, "big items", len(s.all(store.Query{PK: "big"})), 10)
	s.fails([]string{"no"},
		store.PutItem("", item("p", "none", nil), nil),
		store.DeleteItem("", key("big", "k0"), nil),
		store.AddTo("", key("p", "0"), map[string]int64{"n": 1}, nil),
		store.CheckItem("no", key("big", "k1"), store.IfAbsent()))
	s.absent(key("p", "none"))
	same(t, "attributes after a failed commit", len(s.get(key("p", "0")).Attrs), 0)
	same(t, "big items after a failed commit", len(s.all(store.Query{PK: "big"})), 10)
}

func conditions(t *testing.T, s *subject) {
	here, gone := key("p", "here"), key("p", "gone")
	reset := store.Item{Key: here, Attrs: store.Attrs{
		"t": store.S("x"), "n": store.Decimal("1.50"), "b": store.B([]byte{1}), "on": store.T(true),
	}}
	for _, c := range []struct {
		name  string
		key   store.Key
		cond  *store.Cond
		holds bool
	}{
		{"none, present", here, nil, true},
		{"none, absent", gone, nil, true},
		{"absent, present", here, store.IfAbsent(), false},
		{"absent, absent", gone, store.IfAbsent(), true},
		{"exists, present", here, store.IfExists(), true},
		{"exists, absent", gone, store.IfExists(), false},
		{"equal text", here, store.IfEqual("t", store.S("x")), true},
		{"other text", here, store.IfEqual("t", store.S("X")), false},
		{"equal number", here, store.IfEqual("n", store.Decimal("1.50")), true},
		{"same number", here, store.IfEqual("n", store.Decimal("15e-1")), true},
		{"other number", here, store.IfEqual("n", store.N(1)), false},
		{"number is no text", here, store.IfEqual("n", store.S("1.50")), false},
		{"equal bytes", here, store.IfEqual("b", store.B([]byte{1})), true},
		{"other bytes", here, store.IfEqual("b", store.B([]byte{1, 0})), false},
		{"equal bool", here, store.IfEqual("on", store.T(true)), true},
		{"other bool", here, store.IfEqual("on", store.T(false)), false},
		{"absent attribute", here, store.IfEqual("off", store.T(false)), false},
		{"absent item", gone, store.IfEqual("t", store.S("x")), false},
	} {
		for _, action := range []store.Action{
			store.PutItem(c.name, store.Item{Key: c.key}, c.cond),
			store.DeleteItem(c.name, c.key, c.cond),
			store.AddTo(c.name, c.key, map[string]int64{"added": 1}, c.cond),
			store.CheckItem(c.name, c.key, c.cond),
		} {
			if action.Verb == store.Check && c.cond == nil {
				continue
			}
			s.commit(store.PutItem("", reset, nil), store.DeleteItem("", gone, nil))
			if c.holds {
				s.commit(action)
			} else {
				s.fails([]string{c.name}, action)
			}
		}
	}
	refuseConditions(s, here)
}

func refuseConditions(s *subject, k store.Key) {
	s.t.Helper()
	for _, cond := range []*store.Cond{nil, {}, {Absent: true, Exists: true}, {Absent: true, Attr: "t"}, {Attr: "t"}} {
		s.refused(store.ErrBadRequest, store.CheckItem("", k, cond))
	}
	s.refused(store.ErrBadRequest, store.Action{Verb: store.Verb(9), Item: store.Item{Key: k}})
	s.refused(store.ErrBadRequest, store.AddTo("", k, nil, nil))
}

func conditionsBefore(t *testing.T, s *subject) {
	s.put(item("p", "s", store.Attrs{"v": store.N(1)}))
	s.commit(store.PutItem("", item("p", "s", store.Attrs{"v": store.N(2)}), store.IfEqual("v", store.N(1))))
	same(t, "value", s.get(key("p", "s")).Attrs.Int("v"), 2)
	s.commit(store.AddTo("", key("p", "s"), map[string]int64{"v": 1}, store.IfEqual("v", store.N(2))))
	s.commit(store.DeleteItem("", key("p", "s"), store.IfEqual("v", store.N(3))))
	s.absent(key("p", "s"))
	s.commit(store.PutItem("", item("p", "s", nil), store.IfAbsent()))
}

func labels(t *testing.T, s *subject) {
	s.fill("p", "b", "d")
	actions := []store.Action{
		store.CheckItem("z first", key("p", "a"), store.IfExists()),
		store.CheckItem("holds", key("p", "b"), store.IfExists()),
		store.PutItem("m second", item("p", "d", nil), store.IfAbsent()),
		store.PutItem("free", item("p", "e", nil), nil),
		store.DeleteItem("a third", key("p", "f"), store.IfEqual("v", store.N(1))),
		store.AddTo("a third", key("p", "g"), map[string]int64{"n": 1}, store.IfExists()),
	}
	s.fails([]string{"z first", "m second", "a third", "a third"}, actions...)
	err := s.try(actions...)
	same(t, "named", []bool{store.Failed(err, "m second"), store.Failed(err, "holds")}, []bool{true, false})
	s.absent(key("p", "e"), key("p", "g"))
}

func putReplaces(t *testing.T, s *subject) {
	due := store.Item{Key: key("p", "s"), Attrs: store.Attrs{"a": store.S("x"), "b": store.S("y")},
		Due: &store.Due{Shard: 1, At: time.UnixMilli(5)}, Expires: time.Unix(4e9, 0)}
	s.put(due)
	next := item("p", "s", store.Attrs{"b": store.S("z")})
	s.put(next)
	same(t, "item", s.get(next.Key), next)
}

func removeAbsent(_ *testing.T, s *subject) {
	s.commit(store.DeleteItem("", key("p", "s"), nil))
	s.fill("p", "s")
	s.commit(store.DeleteItem("", key("p", "s"), nil), store.DeleteItem("", key("p", "t"), nil))
	s.absent(key("p", "s"), key("p", "t"))
	s.fails([]string{"there"}, store.DeleteItem("there", key("p", "s"), store.IfExists()))
}

func adds(t *testing.T, s *subject) {
	k := key("p", "s")
	s.commit(store.AddTo("", k, map[string]int64{"n": 5, "m": -1}, store.IfAbsent()))
	want := store.Item{Key: k, Attrs: store.Attrs{"n": store.N(5), "m": store.N(-1)}}
	same(t, "made", s.get(k), want)

	want.Attrs["t"], want.Attrs["b"] = store.S("kept"), store.B([]byte{9})
	want.Due = &store.Due{Shard: 2, At: time.UnixMilli(77).UTC()}
	want.Expires = time.Unix(4e9, 0).UTC()
	s.put(want)
	s.commit(store.AddTo("", k, map[string]int64{"n": -7, "new": 3}, nil))
	want.Attrs["n"], want.Attrs["new"] = store.N(-2), store.N(3)
	same(t, "added", s.get(k), want)
	s.settle("the item in the due index", func() bool {
		return len(s.allDue(store.DueQuery{Shard: 2, Until: time.UnixMilli(77)})) == 1
	})
}

func badAdds(t *testing.T, s *subject) {
	it := item("p", "s", store.Attrs{
		"text": store.S("1"), "half": store.Decimal("0.5"), "max": store.N(math.MaxInt64), "min": store.N(math.MinInt64),
		"whole": store.Decimal("20e-1"),
	})
	s.put(it)
	for name, n := range map[string]int64{"text": 1, "half": 1, "max": 1, "min": -1} {
		s.refused(store.ErrBadRequest,
			store.PutItem("", item("p", "other", nil), nil),
			store.AddTo("", it.Key, map[string]int64{name: n}, nil))
	}
	s.absent(key("p", "other"))
	got := s.get(it.Key)
	same(t, "whole", got.Attrs["whole"].Equal(it.Attrs["whole"]), true)
	got.Attrs["whole"] = it.Attrs["whole"] // numbers come back equal, not alike
	same(t, "item", got, it)
	s.commit(store.AddTo("", it.Key, map[string]int64{"max": math.MinInt64, "min": math.MaxInt64, "whole": 1}, nil))
	attrs := s.get(it.Key).Attrs
	same(t, "sums", []int64{attrs.Int("max"), attrs.Int("min"), attrs.Int("whole")}, []int64{-1, -1, 3})
}

func neverSucceeds(_ *testing.T, s *subject) {
	for range 3 {
		s.refused(store.ErrBadRequest, store.PutItem("", item("p", "", nil), nil), store.PutItem("", item("p", "x", nil), nil))
		huge := store.Attrs{"blob": store.B(make([]byte, store.MaxItem))}
		s.refused(store.ErrTooLarge, store.PutItem("", item("p", "x", nil), nil), store.PutItem("", item("p", "y", huge), nil))
		s.absent(key("p", "x"), key("p", "y"))
	}
}

// unknownOutcome gives up at every moment of a commit and reads what became of it.
func unknownOutcome(t *testing.T, s *subject) {
	for n := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		a, b := item("p", fmt.Sprint("a", n), nil), item("q", fmt.Sprint("b", n), nil)
		answer := make(chan error, 1)
		go func() { answer <- s.Commit(ctx, tx(store.PutItem("", a, nil), store.PutItem("", b, nil))) }()
		for range n * 20 {
			select {
			case err := <-answer:
				answer <- err
			default:
			}
		}
		cancel()
		err := <-answer
		_, first, readA := s.Get(t.Context(), a.Key)
		_, second, readB := s.Get(t.Context(), b.Key)
		if readA != nil || readB != nil || first != second && err == nil || err == nil && !first {
			t.Fatalf("answer %v, found %v and %v, reads %v and %v", err, first, second, readA, readB)
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("commit: %v", err)
		}
	}
	// What is unknown is all or nothing once it has come to rest.
	s.put(item("last", "s", nil))
	same(t, "halves", len(s.all(store.Query{PK: "p"})), len(s.all(store.Query{PK: "q"})))
}
