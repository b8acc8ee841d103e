package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/store"
)

func scans() []clause {
	return []clause{
		{"A scan visits an item that is there throughout exactly once.", scanOnce},
		{"The visitor may use the store, and its error ends the scan.", scanVisitor},
		{"What is not wanted is not visited.", scanWanted},
	}
}

func (s *subject) scanner() store.Scanner {
	s.t.Helper()
	scanner, ok := s.Store.(store.Scanner)
	if !ok {
		s.t.Fatal("not a store.Scanner")
	}
	return scanner
}

// spread writes items of many sizes over several partitions.
func (s *subject) spread() (keys []string) {
	for n := range 24 {
		it := item(fmt.Sprint("p", n%5), fmt.Sprint("s", n), store.Attrs{"blob": store.B(make([]byte, n*n*400))})
		s.put(it)
		keys = append(keys, it.Key.SK)
	}
	slices.Sort(keys)
	return keys
}

func scanOnce(t *testing.T, s *subject) {
	want := s.spread()
	var got []string
	err := s.scanner().Scan(t.Context(), func(it store.Item) error {
		got = append(got, it.Key.SK)
		return nil
	})
	slices.Sort(got)
	same(t, "scanned", got, want)
	same(t, "error", err, nil)
}

func scanVisitor(t *testing.T, s *subject) {
	s.spread()
	enough := errors.New("enough")
	visits := 0
	err := s.scanner().Scan(t.Context(), func(it store.Item) error {
		visits++
		s.commit(store.DeleteItem("", it.Key, store.IfExists()), store.PutItem("", item("seen", it.Key.SK, nil), nil))
		s.get(key("seen", it.Key.SK))
		if visits == 10 {
			return enough
		}
		return nil
	})
	same(t, "error", err, enough)
	same(t, "visits", visits, 10)
	same(t, "written", len(s.all(store.Query{PK: "seen"})), 10)
}

func scanWanted(t *testing.T, s *subject) {
	all := s.spread()
	asked, got := 0, []string{}
	err := s.scanner().ScanKeys(t.Context(),
		func(k store.Key) bool { asked++; return strings.HasPrefix(k.SK, "s1") },
		func(it store.Item) error { got = append(got, it.Key.SK); return nil })
	same(t, "error", err, nil)
	same(t, "asked", asked, len(all))
	slices.Sort(got)
	same(t, "visited", got, []string{"s1", "s10", "s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19"})
}
