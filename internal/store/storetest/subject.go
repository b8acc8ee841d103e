package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"holdfast/internal/store"
)

// subject is the store that a subtest looks at, with the words of the suite.
type subject struct {
	store.Store
	t *testing.T
}

func key(pk, sk string) store.Key { return store.Key{PK: pk, SK: sk} }

func item(pk, sk string, attrs store.Attrs) store.Item {
	return store.Item{Key: key(pk, sk), Attrs: attrs}
}

func tx(actions ...store.Action) store.Tx { return store.Tx{Actions: actions} }

// put writes items without conditions, one commit each.
func (s *subject) put(items ...store.Item) {
	s.t.Helper()
	for _, it := range items {
		s.commit(store.PutItem("put", it, nil))
	}
}

// fill writes small items with the given sort keys.
func (s *subject) fill(pk string, sks ...string) {
	s.t.Helper()
	for _, sk := range sks {
		s.put(item(pk, sk, store.Attrs{"of": store.S(sk)}))
	}
}

func (s *subject) commit(actions ...store.Action) {
	s.t.Helper()
	if err := s.try(actions...); err != nil {
		s.t.Fatalf("commit: %v", err)
	}
}

// try commits, again after a conflict, as callers do.
func (s *subject) try(actions ...store.Action) error {
	for {
		err := s.Commit(s.t.Context(), tx(actions...))
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrThrottled) {
			return err
		}
	}
}

// refused commits what must be refused.
func (s *subject) refused(want error, actions ...store.Action) {
	s.t.Helper()
	if err := s.try(actions...); !errors.Is(err, want) {
		s.t.Fatalf("commit: got %v, want %v", err, want)
	}
}

// fails commits what must fail with these labels.
func (s *subject) fails(labels []string, actions ...store.Action) {
	s.t.Helper()
	var failed *store.ConditionError
	if err := s.try(actions...); !errors.As(err, &failed) || !slices.Equal(failed.Labels, labels) {
		s.t.Fatalf("commit: got %v, want failed conditions %v", err, labels)
	}
}

// get answers an item that must be there.
func (s *subject) get(k store.Key) store.Item {
	s.t.Helper()
	it, found, err := s.Get(s.t.Context(), k)
	if err != nil || !found {
		s.t.Fatalf("get %q: found %v, %v", k, found, err)
	}
	return it
}

// absent checks that there is no such item.
func (s *subject) absent(keys ...store.Key) {
	s.t.Helper()
	for _, k := range keys {
		if _, found, err := s.Get(s.t.Context(), k); found || err != nil {
			s.t.Fatalf("get %q: found %v, %v", k, found, err)
		}
	}
}

// query answers one page.
func (s *subject) query(q store.Query) store.Page {
	s.t.Helper()
	page, err := s.Query(s.t.Context(), q)
	if err != nil {
		s.t.Fatalf("query: %v", err)
	}
	return page
}

// all follows the cursors to the end and answers the sort keys.
func (s *subject) all(q store.Query) []string {
	s.t.Helper()
	items, err := allPages(s.t.Context(), q.Cursor, func(ctx context.Context, cursor string) (store.Page, error) {
		q.Cursor = cursor
		return s.Query(ctx, q)
	})
	if err != nil {
		s.t.Fatalf("query: %v", err)
	}
	return sortKeys(items)
}

// allDue follows the cursors of the due index to the end.
func (s *subject) allDue(q store.DueQuery) []store.Item {
	s.t.Helper()
	items, err := allPages(s.t.Context(), q.Cursor, func(ctx context.Context, cursor string) (store.Page, error) {
		q.Cursor = cursor
		return s.Due(ctx, q)
	})
	if err != nil {
		s.t.Fatalf("due: %v", err)
	}
	return items
}

func allPages(ctx context.Context, cursor string, next func(context.Context, string) (store.Page, error)) ([]store.Item, error) {
	var items []store.Item
	for {
		page, err := next(ctx, cursor)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
		if cursor = page.Cursor; cursor == "" {
			return items, nil
		}
	}
}

func sortKeys(items []store.Item) []string {
	sks := []string{}
	for _, it := range items {
		sks = append(sks, it.Key.SK)
	}
	return sks
}

// same checks that two values are deeply equal.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// settle waits for what an index that lags will show in the end.
func (s *subject) settle(what string, ok func() bool) {
	s.t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatalf("never seen: %s", what)
		}
	}
}
