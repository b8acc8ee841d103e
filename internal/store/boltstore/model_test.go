package boltstore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"holdfast/internal/store/boltstore"
	"holdfast/internal/store/memstore"
	"holdfast/internal/store/storetest"
)

// program makes a random program of operations; each takes about 15 bytes.
func program(seed uint64, size int) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = byte(random.Uint32())
	}
	return bytes
}

func TestRandomOperationsAgreeWithTheModel(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s := open(t, boltstore.Options{NoSync: true})
			if err := storetest.Agree(t.Context(), s, memstore.New(), program(seed, 30_000)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func FuzzAgainstModel(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(12) {
		f.Add(program(100+seed, 40*int(seed+1)))
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		s := open(t, boltstore.Options{NoSync: true})
		if err := storetest.Agree(t.Context(), s, memstore.New(), program); err != nil {
			t.Fatal(err)
		}
	})
}
