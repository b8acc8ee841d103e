package memsearch

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/search"
)

var dimensions = []int{1, 4, 7, 8, 9, 255, 256, 257, 300, 1536}

// Nothing of what the table keeps is lost.
func TestPackKeepsTheStepsOfTheTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range dimensions {
		packed := embed.Encode(randomVector(random, n))
		stored, err := embed.Decode(packed, n)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := pack(stored)
		sum := 0
		for i := range n {
			want := int(int8(packed[4+i]))
			sum += want
			if have := int(stepOf(got.words[i/perWord] >> (8 * (i % perWord)))); have != want {
				t.Fatalf("dimension %d: step %d is %d, want %d", n, i, have, want)
			}
		}
		if !ok || int(got.sum) != sum || len(got.words) != (n+7)/8 {
			t.Errorf("dimension %d: %v, sum %d of %d, %d words", n, ok, got.sum, sum, len(got.words))
		}
	}
}

func TestPackRefusesWhatHasNoDirection(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, v := range [][]float32{nil, {0}, {0, 0, 0}, {1, nan}, {nan, 1}, {inf, 1}, {-inf}} {
		if _, ok := pack(v); ok {
			t.Errorf("%v has a direction", v)
		}
		if probeOf(v) != nil {
			t.Errorf("%v asks for a direction", v)
		}
	}
}

// Near is within its slack of the cosine, and the cosine is that of float64.
func TestNearIsWithinItsSlack(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, n := range dimensions {
		for range 50 {
			query, vector := randomVector(random, n), randomVector(random, n)
			switch random.IntN(4) {
			case 0:
				vector = slices.Clone(query)
			case 1:
				for i := range vector {
					vector[i] = -query[i]
				}
			case 2: // extremes of every sum
				for i := range vector {
					query[i], vector[i] = 1, float32(1-2*(n%2))
				}
			}
			stored, err := embed.Decode(embed.Encode(vector), n)
			if err != nil {
				t.Fatal(err)
			}
			row, _ := pack(stored)
			q := probeOf(query)
			near, got, want := q.near(row.words, row.rowNumbers), q.cosine(row.words, row.rowNumbers), embed.Cosine(query, stored)
			if math.Abs(got-want) > 2e-6 || math.Abs(near-got) > q.slack || q.slack > 5e-4 {
				t.Fatalf("dimension %d: near %v, cosine %v, want %v, slack %v", n, near, got, want, q.slack)
			}
		}
	}
}

// Rows come and go, and each keeps its own vector, signs and numbers; what was
// removed has no byte left in the arrays.
func TestRowsStayWithTheirDocuments(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	x := New(clock.NewFixed(start))
	live := map[string][]float32{}
	sequence := int64(0)
	for range 3 * pageRows {
		sequence++
		d := search.Document{Scope: benchScope, ID: strconv.Itoa(random.IntN(2 * pageRows)), Sequence: sequence, Profile: "p"}
		remove := random.IntN(3) == 0
		if !remove && random.IntN(8) > 0 {
			d.Vector = randomVector(random, 20)
		}
		if live[d.ID] = d.Vector; remove {
			delete(live, d.ID)
		}
		x.Apply(t.Context(), []search.Op{{Delete: remove, Document: d}})
	}
	p, _ := x.partitions.Get(benchScope)
	v := p.vectors["p"]
	if v.rows()+p.bare.rows() != len(live) || len(v.codes) != len(v.docs) || len(v.numbers) != len(v.docs) {
		t.Fatalf("%d and %d rows, %d codes, %d numbers for %d documents", v.rows(), p.bare.rows(), len(v.codes), len(v.numbers), len(live))
	}
	for id, vector := range live {
		d := p.docs[p.byID[id]]
		if (d.vectors == &p.bare) != (vector == nil) {
			t.Fatalf("%s is with the wrong rows", id)
		}
		if vector == nil {
			continue
		}
		want, _ := pack(vector)
		if !slices.Equal(v.row(d.row), want.words) || !slices.Equal(v.code(d.row), signs(vector)) || v.numbers[d.row] != want.rowNumbers {
			t.Fatalf("%s has another's vector", id)
		}
	}
	for id := range live {
		if sequence++; v.rows() == 1 {
			break
		}
		x.Apply(t.Context(), []search.Op{{Delete: true, Document: search.Document{Scope: benchScope, ID: id, Sequence: sequence}}})
	}
	leftBehind(t, v)
}

// leftBehind fails on any byte that arrays hold beyond their end.
func leftBehind(t *testing.T, v *vectors) {
	t.Helper()
	isSet := func(word uint64) bool { return word != 0 }
	for _, page := range v.pages[:cap(v.pages)] {
		if slices.ContainsFunc(page[len(page):cap(page)], isSet) {
			t.Error("a vector is left")
		}
	}
	if slices.ContainsFunc(v.codes[len(v.codes):cap(v.codes)], isSet) {
		t.Error("signs are left")
	}
	if slices.ContainsFunc(v.numbers[len(v.numbers):cap(v.numbers)], func(n rowNumbers) bool { return n != rowNumbers{} }) {
		t.Error("numbers are left")
	}
}
