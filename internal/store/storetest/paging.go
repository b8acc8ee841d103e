package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/store"
)

func paging() []clause {
	return []clause{
		{"Query answers one partition in byte order of the sort key, ascending or descending, between two inclusive bounds or below a prefix.", queryOrder},
		{"Bounds that leave nothing answer an empty page.", emptyBounds},
		{"A page holds at most 1 MB and at most Limit items; its cursor goes on after the last item, also when that was deleted meanwhile.", pages},
		{"The last page has no cursor.", lastPage},
		{"A cursor that was not made by this partition's query in this direction and these bounds is ErrBadCursor.", badCursors},
	}
}

// tricky are sort keys whose byte order differs from any order of a language, in
// byte order.
func tricky() []string {
	return []string{"\x01", "!", "#", "A", "A#", "A#1", "A0", "B", "a", "a\x01", "a!", "aa", "z", "~", "é", "\uffff", "😀"}
}

func queryOrder(t *testing.T, s *subject) {
	keys := tricky()
	shuffled := append(slices.Clone(keys[len(keys)/2:]), keys[:len(keys)/2]...)
	slices.Reverse(shuffled)
	s.fill("p", shuffled...)
	for _, neighbour := range []string{"p#", "p\x01", "o", "pp", "p!"} {
		s.fill(neighbour, "A", "z")
	}
	for _, c := range []struct {
		name string
		q    store.Query
		want []string
	}{
		{"all", store.Query{}, keys},
		{"from", store.Query{From: "A#"}, keys[4:]},
		{"from between keys", store.Query{From: "A$"}, keys[6:]},
		{"to", store.Query{To: "A#1"}, keys[:6]},
		{"to between keys", store.Query{To: "A#2"}, keys[:6]},
		{"both", store.Query{From: "B", To: "z"}, keys[7:13]},
		{"one", store.Query{From: "a", To: "a"}, keys[8:9]},
		{"prefix", store.Query{Prefix: "A"}, keys[3:7]},
		{"prefix that is a key", store.Query{Prefix: "a"}, keys[8:12]},
		{"prefix at the end", store.Query{Prefix: "😀"}, keys[16:]},
	} {
		c.q.PK = "p"
		same(t, c.name, s.all(c.q), c.want)
		c.q.Desc = true
		reversed := slices.Clone(c.want)
		slices.Reverse(reversed)
		same(t, c.name+" descending", s.all(c.q), reversed)
		c.q.Limit = 2
		same(t, c.name+" descending by two", s.all(c.q), reversed)
		c.q.Desc = false
		same(t, c.name+" by two", s.all(c.q), c.want)
	}
	refuseQueries(t, s)
}

func refuseQueries(t *testing.T, s *subject) {
	t.Helper()
	for name, q := range map[string]store.Query{
		"no partition":           {},
		"prefix and bound":       {PK: "p", Prefix: "a", From: "a"},
		"limit below zero":       {PK: "p", Limit: -1},
		"bound that is no UTF-8": {PK: "p", To: "a\xff"},
		"bound with NUL":         {PK: "p", From: "a\x00"},
		"partition with NUL":     {PK: "p\x00"},
	} {
		if _, err := s.Query(t.Context(), q); !errors.Is(err, store.ErrBadRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := store.Query{PK: "p", Prefix: strings.Repeat("a", store.MaxSK+1)}
	if _, err := s.Query(t.Context(), long); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("long prefix: %v", err)
	}
}

func emptyBounds(t *testing.T, s *subject) {
	s.fill("p", "b", "d")
	for name, q := range map[string]store.Query{
		"other partition": {PK: "q"},
		"before all":      {PK: "p", To: "a"},
		"after all":       {PK: "p", From: "e"},
		"between two":     {PK: "p", From: "c", To: "cc"},
		"crossed bounds":  {PK: "p", From: "d", To: "b"},
		"prefix":          {PK: "p", Prefix: "c"},
	} {
		for _, desc := range []bool{false, true} {
			q.Desc = desc
			page := s.query(q)
			if len(page.Items) != 0 || page.Cursor != "" {
				t.Errorf("%s: %d items, cursor %q", name, len(page.Items), page.Cursor)
			}
		}
	}
}

func pages(t *testing.T, s *subject) {
	var keys []string
	blob := store.B(make([]byte, 300<<10))
	for n := range 8 {
		keys = append(keys, fmt.Sprint("k", n))
		s.put(item("big", keys[n], store.Attrs{"blob": blob}))
	}
	for _, desc := range []bool{false, true} {
		want := slices.Clone(keys)
		if desc {
			slices.Reverse(want)
		}
		q := store.Query{PK: "big", Desc: desc}
		checkPages(t, s, q, want)
		q.Limit = 2
		checkPages(t, s, q, want)
		q.Limit = 100
		checkPages(t, s, q, want)
	}
	s.fill("small", keys...)
	deleteWhilePaging(t, s, false, keys)
	s.fill("small", keys...)
	slices.Reverse(keys)
	deleteWhilePaging(t, s, true, keys)
}

// checkPages follows a query and measures each page.
func checkPages(t *testing.T, s *subject, q store.Query, want []string) {
	t.Helper()
	var got []string
	for {
		page := s.query(q)
		bytes := 0
		for _, it := range page.Items {
			bytes += store.Size(it)
			got = append(got, it.Key.SK)
		}
		if bytes > store.MaxPage || q.Limit > 0 && len(page.Items) > q.Limit {
			t.Fatalf("page of %d items and %d bytes", len(page.Items), bytes)
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	same(t, "all pages", got, want)
}

func deleteWhilePaging(t *testing.T, s *subject, desc bool, keys []string) {
	t.Helper()
	q := store.Query{PK: "small", Desc: desc, Limit: 3}
	first := s.query(q)
	same(t, "first page", sortKeys(first.Items), keys[:3])
	s.commit(store.DeleteItem("", first.Items[2].Key, nil), store.DeleteItem("", key("small", keys[3]), nil))
	q.Cursor = first.Cursor
	same(t, "after deleting", s.all(q), keys[4:])
	q.Limit = 1
	same(t, "with another limit", s.all(q), keys[4:])
}

func lastPage(t *testing.T, s *subject) {
	s.fill("p", "a", "b", "c")
	for _, c := range []struct {
		limit int
		last  int // items on the last page with any
	}{{0, 3}, {1, 1}, {2, 1}, {3, 3}, {4, 3}} {
		q := store.Query{PK: "p", Limit: c.limit}
		seen, items := 0, 0
		for range 5 {
			page := s.query(q)
			seen += len(page.Items)
			if len(page.Items) > 0 {
				items = len(page.Items)
			}
			if q.Cursor = page.Cursor; q.Cursor == "" {
				break
			}
		}
		same(t, fmt.Sprintf("limit %d: cursor, items, last page", c.limit), []any{q.Cursor, seen, items}, []any{"", 3, c.last})
	}
}

func badCursors(t *testing.T, s *subject) {
	s.fill("p", "a", "b", "c", "d")
	s.fill("q", "a", "b", "c", "d")
	made := store.Query{PK: "p", Limit: 2}
	good := s.query(made).Cursor
	for name, change := range map[string]func(*store.Query){
		"another partition": func(q *store.Query) { q.PK = "q" },
		"another direction": func(q *store.Query) { q.Desc = true },
		"above the bounds":  func(q *store.Query) { q.To = "a" },
		"below the bounds":  func(q *store.Query) { q.From = "c" },
		"another prefix":    func(q *store.Query) { q.Prefix = "c" },
		"cut":               func(q *store.Query) { q.Cursor = good[:len(good)-1] },
		"longer":            func(q *store.Query) { q.Cursor = good + "A" },
		"changed":           func(q *store.Query) { q.Cursor = flip(good) },
		"other text":        func(q *store.Query) { q.Cursor = "b" },
		"no encoding":       func(q *store.Query) { q.Cursor = "%%%" },
	} {
		q := made
		q.Cursor = good
		change(&q)
		if _, err := s.Query(t.Context(), q); !errors.Is(err, store.ErrBadCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// flip changes the first letter of a cursor.
func flip(cursor string) string {
	if cursor[0] == 'A' {
		return "B" + cursor[1:]
	}
	return "A" + cursor[1:]
}
