//go:build integration

package dynamo_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
	"holdfast/internal/store/storetest"
)

// program makes a random program of operations; each takes about 15 bytes.
func program(seed uint64, size int) []byte {
	random := rand.New(rand.NewPCG(seed, 2))
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = byte(random.Uint32())
	}
	return bytes
}

func embedded(t testing.TB) store.Store {
	t.Helper()
	s, err := boltstore.Open(boltstore.Options{Path: t.TempDir(), NoSync: true})
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

func TestRandomOperationsAgreeWithTheEmbeddedStore(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			if err := storetest.Agree(t.Context(), embedded(t), open(t), program(seed, 8_000)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func FuzzAgainstTheEmbeddedStore(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(8) {
		f.Add(program(100+seed, 60*int(seed+1)))
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		if err := storetest.Agree(t.Context(), embedded(t), open(t), program); err != nil {
			t.Fatal(err)
		}
	})
}
