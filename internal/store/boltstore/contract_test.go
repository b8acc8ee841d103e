package boltstore_test

import (
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
	"holdfast/internal/store/storetest"
)

// open opens a store in a folder of the test's own.
func open(t testing.TB, o boltstore.Options) *boltstore.Store {
	t.Helper()
	if o.Path == "" {
		o.Path = t.TempDir()
	}
	s, err := boltstore.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(t testing.TB) store.Store { return open(t, boltstore.Options{NoSync: true}) })
}
