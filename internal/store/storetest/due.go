package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/store"
)

func dueIndex() []clause {
	return []clause{
		{"An item with Due set appears in Due(shard) in the order of its time and key until it is deleted or written without Due.", dueOrder},
		{"The index may lag behind commits (it is a GSI on AWS); the item that it answers may be stale, so consumers read the item again.", dueRead},
		{"Its pages are like those of Query, and a cursor of another shard is ErrBadCursor.", duePages},
	}
}

// noon is a time with parts below the millisecond, which are not kept.
var noon = time.Date(2030, 6, 1, 12, 0, 0, 1_999_999, time.UTC)

func dueItem(shard int, at time.Time, pk, sk string) store.Item {
	it := item(pk, sk, store.Attrs{"of": store.S(sk)})
	it.Due = &store.Due{Shard: shard, At: at}
	return it
}

// dueKeys waits until the index shows these sort keys at a time.
func (s *subject) dueKeys(shard int, until time.Time, want ...string) {
	s.t.Helper()
	s.settle(fmt.Sprintf("shard %d shows %q", shard, want), func() bool {
		got := sortKeys(s.allDue(store.DueQuery{Shard: shard, Until: until}))
		return slices.Equal(got, want)
	})
}

func dueOrder(t *testing.T, s *subject) {
	s.put(
		dueItem(3, noon.Add(time.Second), "p", "later"),
		dueItem(3, noon, "q", "c"), dueItem(3, noon, "p", "b"), dueItem(3, noon, "p", "a"),
		dueItem(3, time.UnixMilli(0), "z", "first"),
		dueItem(4, noon, "p", "other shard"),
		item("p", "never", nil))
	s.dueKeys(3, noon.Add(time.Second), "first", "a", "b", "c", "later")
	s.dueKeys(3, noon.Add(time.Second-time.Millisecond), "first", "a", "b", "c")
	s.dueKeys(3, noon.Truncate(time.Millisecond), "first", "a", "b", "c")
	s.dueKeys(3, noon.Add(-time.Millisecond), "first")
	s.dueKeys(3, time.UnixMilli(-1))
	s.dueKeys(4, noon, "other shard")
	s.dueKeys(0, noon)
	same(t, "time", s.get(key("p", "a")).Due.At, noon.Truncate(time.Millisecond))

	s.put(dueItem(4, noon, "p", "b"), dueItem(3, noon.Add(-time.Minute), "q", "c"), item("p", "later", nil))
	s.commit(store.DeleteItem("", key("z", "first"), nil))
	s.dueKeys(3, noon.Add(time.Hour), "c", "a")
	s.dueKeys(4, noon, "b", "other shard")
	refuseDue(t, s)
}

func refuseDue(t *testing.T, s *subject) {
	t.Helper()
	for _, due := range []store.Due{{Shard: -1, At: noon}, {Shard: store.Shards, At: noon}, {At: time.UnixMilli(-1)}, {}} {
		s.refused(store.ErrBadRequest, store.PutItem("", store.Item{Key: key("p", "bad"), Due: &due}, nil))
	}
	for _, q := range []store.DueQuery{{Shard: -1}, {Shard: store.Shards}, {Limit: -1}} {
		if _, err := s.Due(t.Context(), q); !errors.Is(err, store.ErrBadRequest) {
			t.Errorf("due of shard %d, limit %d: %v", q.Shard, q.Limit, err)
		}
	}
}

func dueRead(t *testing.T, s *subject) {
	it := dueItem(1, noon, "p", "s")
	s.put(it)
	s.dueKeys(1, noon, "s")
	it.Attrs["of"] = store.S("changed")
	s.put(it)
	again := s.get(s.allDue(store.DueQuery{Shard: 1, Until: noon})[0].Key)
	same(t, "read again", again.Attrs.Text("of"), "changed")
}

func duePages(t *testing.T, s *subject) {
	var want []string
	for n := range 7 {
		sk := fmt.Sprint("k", n)
		want = append(want, sk)
		it := dueItem(2, noon.Add(time.Duration(n/3)*time.Second), "p", sk)
		it.Attrs["blob"] = store.B(make([]byte, 300<<10))
		s.put(it)
	}
	until := noon.Add(time.Hour)
	s.dueKeys(2, until, want...)
	for _, limit := range []int{0, 1, 2, 7, 50} {
		q := store.DueQuery{Shard: 2, Until: until, Limit: limit}
		same(t, fmt.Sprint("pages of ", limit), sortKeys(s.allDue(q)), want)
		page, err := s.Due(t.Context(), q)
		if err != nil || limit > 0 && len(page.Items) > limit || len(page.Items) > 3 {
			t.Fatalf("limit %d: %d items, %v", limit, len(page.Items), err)
		}
	}
	dueCursors(t, s, until, want)
}

func dueCursors(t *testing.T, s *subject, until time.Time, want []string) {
	t.Helper()
	q := store.DueQuery{Shard: 2, Until: until, Limit: 2}
	first, err := s.Due(t.Context(), q)
	if err != nil || first.Cursor == "" {
		t.Fatalf("first page: cursor %q, %v", first.Cursor, err)
	}
	s.commit(store.DeleteItem("", first.Items[1].Key, nil))
	q.Cursor = first.Cursor
	same(t, "after deleting the last", sortKeys(s.allDue(q)), want[2:])
	made := store.Query{PK: "p", Limit: 1}
	for name, bad := range map[string]store.DueQuery{
		"another shard":     {Shard: 1, Until: until, Cursor: first.Cursor},
		"changed":           {Shard: 2, Until: until, Cursor: flip(first.Cursor)},
		"cursor of a query": {Shard: 2, Until: until, Cursor: s.query(made).Cursor},
	} {
		if _, err := s.Due(t.Context(), bad); !errors.Is(err, store.ErrBadCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
