package recall

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/store/memstore"
)

func speaking(name string) with { return func(d *memory.Draft) { d.Speaker = &name } }

// lexicalParts are the lexical components of an answer's entries, by id.
func (w *world) lexicalParts(query string) map[string]float64 {
	c := w.ask(query, in(Lexical), explained, func(r *Request) { r.TopN = 100 })
	out := map[string]float64{}
	for _, e := range c.Diagnostics.Entries {
		if e.Parts != nil {
			out[e.ID] = e.Parts.Lexical
		}
	}
	return out
}

// A text that the index has not reached weighs as much as it will there, with the
// words of its neighbours: a short answer is found by its question before the index
// knows either.
func TestA03TheOverlayWeighsNeighboursAsTheIndexWill(t *testing.T) {
	for seed := range uint64(8) {
		s := memstore.New()
		synced := newWorldOver(t, s)
		talk(synced, rand.New(rand.NewPCG(seed, 8)))
		synced.sync(here)
		want := synced.lexicalParts("ferry bell")
		behind := worldOver(t, s, synced.clock)
		behind.index.change = func(a search.Answer) search.Answer {
			a.Stats = synced.index.last.Stats
			return a
		}
		got := behind.lexicalParts("ferry bell")
		if len(want) < 5 || len(got) != len(want) {
			t.Fatalf("%d entries, want %d", len(got), len(want))
		}
		for id, score := range want {
			if math.Abs(got[id]-score) > 1e-9 {
				t.Errorf("seed %d: %v over a lagging index, %v in it", seed, got[id], score)
			}
		}
	}
}

// talk is what two people and a user say in three runs, some of it gone since.
func talk(w *world, r *rand.Rand) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 40 {
		text := fmt.Sprintf("%s %s %s %d%s", pick("Ferry", "Harbour", "Bell"), pick("ferry", "mast", "rope"),
			pick("bell", "keel", "tar"), r.IntN(1e6), pick(".", "?"))
		id := w.add(text, inRun(pick("r1", "r2", "r3")), speaking(pick("Nora", "Emil", "Nora", "Emil", "user")),
			inLayer(pick("Workspace", "Workspace", "Session", "Tenant")))
		if r.IntN(8) == 0 {
			w.delete(here, id)
		}
	}
}

// Runs of one name in two workspaces are two, though their tenant memories lie in one
// partition.
func TestR068TenantMemoriesOfTwoWorkspacesAreNoNeighbours(t *testing.T) {
	w := newWorld(t)
	question := w.store(sibling, fact("Who rings the bell?", inLayer("Tenant"), inRun("run-1"), speaking("Nora")))
	w.store(here, fact("Olga does.", inLayer("Tenant"), inRun("run-1"), speaking("Emil")))
	w.sync(sibling, here)
	w.ask("bell", in(Lexical)).holds(t, question)
	answer := w.store(sibling, fact("Pavel does.", inLayer("Tenant"), inRun("run-1"), speaking("Emil")))
	w.sync(sibling)
	w.ask("bell", in(Lexical)).holds(t, question, answer)
}
