package boltstore

import (
	"errors"
	"fmt"
	"testing"

	"holdfast/internal/store"
)

// big is a commit of about 400 KB.
func big(sk string) store.Tx {
	tx := put(sk, nil)
	tx.Actions[0].Item.Attrs["blob"] = store.B(make([]byte, 390<<10))
	return tx
}

// fillUp commits until there is no room and answers how many commits there was
// room for.
func fillUp(t *testing.T, s *Store) (n int) {
	t.Helper()
	for n = range 1000 {
		err := s.Commit(t.Context(), big(fmt.Sprint("big", n)))
		if err == nil {
			continue
		}
		if !errors.Is(err, ErrFull) {
			t.Fatal(err)
		}
		return n
	}
	t.Fatal("there is no end of room")
	return 0
}

// intact checks that what was acknowledged is there and what was refused is not.
func intact(t *testing.T, s *Store, n int) {
	t.Helper()
	for i := range n {
		if !found(t, s, fmt.Sprint("big", i)) {
			t.Fatalf("commit %d of %d is missing", i, n)
		}
	}
	if found(t, s, fmt.Sprint("big", n)) {
		t.Fatal("the refused commit is there")
	}
}

func TestAFullStoreCanBeReadEmptiedAndWrittenAgain(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(Options{Path: folder, NoSync: true, MaxBytes: 40 << 20})
	if err != nil {
		t.Fatal(err)
	}
	n := fillUp(t, s)
	if n < 10 {
		t.Fatalf("room for %d commits", n)
	}
	intact(t, s, n)
	remove := store.Tx{Actions: []store.Action{store.DeleteItem("", key("big0"), nil), store.DeleteItem("", key("big1"), nil)}}
	if err := s.Commit(t.Context(), remove); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), big("again")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	larger := openTest(t, Options{Path: folder, NoSync: true})
	if !found(t, larger, "again") || found(t, larger, "big0") {
		t.Fatal("after opening without a bound")
	}
	if err := larger.Commit(t.Context(), big("more")); err != nil {
		t.Fatal(err)
	}
}
