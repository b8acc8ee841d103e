package memsearch

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// Whatever comes and goes, a dictionary knows what is there and nothing else, and has
// no byte of what was there.
func TestADictionaryIsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var d dictionary
	known := map[string]uint32{}
	for range 20_000 {
		token := "t" + strconv.Itoa(random.IntN(600))
		term, ok := d.find(token)
		if want, there := known[token]; ok != there || ok && term != want {
			t.Fatalf("%s is %d, %v; want %d, %v", token, term, ok, want, there)
		}
		switch {
		case !ok:
			known[token] = d.add(token)
		case random.IntN(2) == 0:
			delete(known, token)
			d.drop(term)
		}
	}
	if d.used != len(known) || len(d.places) > 600 || 4*d.used > 3*len(d.slots) {
		t.Fatalf("%d terms, %d numbers, %d slots for %d", d.used, len(d.places), len(d.slots), len(known))
	}
	for token, term := range known {
		if got, ok := d.find(token); !ok || got != term || string(d.text(term)) != token {
			t.Fatalf("%s is %d, %v; want %d", token, got, ok, term)
		}
	}
	if _, ok := d.find(""); ok {
		t.Error("nothing is a term")
	}
	for _, term := range known {
		d.drop(term)
	}
	if d.used+len(d.spelling.all) != 0 || slices.ContainsFunc(d.slots, func(held uint32) bool { return held != 0 }) {
		t.Error("something is left")
	}
}

// Postings keep one passage in place and several in a list.
func TestPostingsOfATerm(t *testing.T) {
	var p postings
	p.reach(0)
	p.reach(1)
	expect := func(term uint32, want ...int32) {
		t.Helper()
		var got []int32
		for _, one := range p.of(term) {
			got = append(got, one.passage)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("term %d: %v, want %v", term, got, want)
		}
	}
	expect(0)
	p.add(0, posting{passage: 0, speaker: 1})
	p.add(1, posting{passage: 7, own: 1})
	expect(0, 0)
	p.add(0, posting{passage: 3, own: 1})
	p.add(0, posting{passage: 5, own: 1})
	expect(0, 0, 3, 5)
	if p.remove(0, 3) || p.remove(0, 0) {
		t.Error("it has another passage")
	}
	expect(0, 5)
	if !p.remove(0, 5) || !p.remove(1, 7) {
		t.Error("that was the last")
	}
	expect(0)
	p.add(1, posting{passage: 1, own: 1})
	p.add(1, posting{passage: 2, own: 1})
	expect(1, 1, 2)
	if len(p.lists) != 1 || len(p.free) != 0 {
		t.Errorf("%d lists, %d free", len(p.lists), len(p.free))
	}
}
