package boltstore_test

import (
	"fmt"
	"strings"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

func TestAScanGoesInTheOrderOfKeysOverManyPages(t *testing.T) {
	s := open(t, boltstore.Options{NoSync: true})
	const rows = 5000 // several pages of items
	for n := 0; n < rows; n += 100 {
		var actions []store.Action
		for i := range 100 {
			actions = append(actions, store.PutItem("", store.Item{Key: store.Key{PK: fmt.Sprint("p", (n+i)%7), SK: fmt.Sprintf("%08d", n+i)}}, nil))
		}
		commit(t, s, actions...)
	}
	before, visits := "", 0
	err := s.Scan(t.Context(), func(item store.Item) error {
		position := item.Key.PK + "\x00" + item.Key.SK
		if position <= before {
			t.Fatalf("%q after %q", position, before)
		}
		before, visits = position, visits+1
		return nil
	})
	if err != nil || visits != rows {
		t.Fatalf("%d visits, %v", visits, err)
	}
}

func TestAPanicOfAScansCallerIsNotTakenForDamage(t *testing.T) {
	s := open(t, boltstore.Options{NoSync: true})
	commit(t, s, store.PutItem("", row("p", "s"), nil))
	defer func() {
		if reason := fmt.Sprint(recover()); !strings.Contains(reason, "oops") {
			t.Errorf("panicked with %s", reason)
		}
		commit(t, s, store.PutItem("", row("p", "t"), nil)) // the store is as usable as before
	}()
	err := s.ScanKeys(t.Context(), func(store.Key) bool { panic("oops") }, func(store.Item) error { return nil })
	t.Errorf("answered %v", err)
}
