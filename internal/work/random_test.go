package work_test

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// randomness is the same for the same seed.
type randomness struct{ *rand.Rand }

func newRandomness(seed uint64) *randomness { return &randomness{rand.New(rand.NewPCG(seed, 5))} }

// one picks a thing; empty where there is none.
func (g *randomness) one(things map[string]*thing) string {
	if len(things) == 0 {
		return ""
	}
	ids := slices.Sorted(maps.Keys(things))
	return ids[g.IntN(len(ids))]
}
