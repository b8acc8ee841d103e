package memsearch

import (
	"strings"

	"holdfast/internal/search"
)

// pageRows is how many vectors stand in one array. Pages keep a growing index
// from being copied again and again.
const pageRows = 1024

// vectors holds the vectors of one profile, row after row. Documents without a
// vector have rows too, in one of dimension 0.
type vectors struct {
	dimension int
	pages     [][]uint64   // steps
	codes     []uint64     // by row: the vector's signs
	numbers   []rowNumbers // by row
	docs      []int32      // by row
}

// fits tells whether a document's vector is of its profile's dimension.
func (p *partition) fits(d *search.Document) bool {
	v := p.vectors[d.Profile]
	return len(d.Vector) == 0 || v == nil || v.dimension == len(d.Vector)
}

// row answers the steps of a row.
func (v *vectors) row(i int32) []uint64 {
	words := wordsOf(v.dimension)
	start := int(i%pageRows) * words
	return v.pages[i/pageRows][start : start+words : start+words]
}

// code answers the signs of a row.
func (v *vectors) code(i int32) []uint64 {
	words := len(v.codes) / len(v.docs)
	return v.codes[int(i)*words : int(i+1)*words]
}

// push adds a last row. The first page grows with its rows, since most
// partitions are small; the others are made whole.
func (v *vectors) push(e *entry, doc int32) {
	page := len(v.docs) / pageRows
	if page == len(v.pages) {
		v.pages = append(v.pages, nil)
		if page > 0 {
			v.pages[page] = make([]uint64, 0, pageRows*wordsOf(v.dimension))
		}
	}
	v.pages[page] = append(v.pages[page], e.vector.words...)
	v.codes = append(v.codes, e.signs...)
	v.numbers = append(v.numbers, e.vector.rowNumbers)
	v.docs = append(v.docs, doc)
}

// pop removes the last row, and its page when it was the first of it. An erased
// vector leaves no bytes behind, not beyond the end of an array either.
func (v *vectors) pop() {
	last := len(v.docs) - 1
	row, code := v.row(int32(last)), v.code(int32(last))
	clear(row)
	clear(code)
	v.numbers[last] = rowNumbers{}
	page := last / pageRows
	v.pages[page] = v.pages[page][:len(v.pages[page])-len(row)]
	if last%pageRows == 0 {
		v.pages[page] = nil
		v.pages = v.pages[:page]
	}
	v.codes, v.numbers, v.docs = v.codes[:len(v.codes)-len(code)], v.numbers[:last], v.docs[:last]
}

// rows is how many documents have such a vector.
func (v *vectors) rows() int {
	if v == nil {
		return 0
	}
	return len(v.docs)
}

// embed stores a document's vector; of one without a direction only that it came.
func (p *partition) embed(slot int32, d *search.Document, e *entry) {
	v := &p.bare
	switch {
	case len(e.vector.words) > 0:
		if v = p.vectors[d.Profile]; v == nil {
			v = &vectors{dimension: len(d.Vector)}
			p.vectors[strings.Clone(d.Profile)] = v
		}
	case len(d.Vector) > 0:
		if p.blank[d.Profile] == nil {
			p.blank[strings.Clone(d.Profile)] = map[int32]bool{}
		}
		p.blank[d.Profile][slot] = true
	}
	p.docs[slot].vectors = v
	p.docs[slot].row = int32(len(v.docs))
	v.push(e, slot)
}

// unembed removes a document's vector; the last row takes its place.
func (p *partition) unembed(slot int32) {
	d := &p.docs[slot]
	v, last := d.vectors, int32(len(d.vectors.docs)-1)
	if d.row != last {
		copy(v.row(d.row), v.row(last))
		copy(v.code(d.row), v.code(last))
		v.numbers[d.row], v.docs[d.row] = v.numbers[last], v.docs[last]
		p.docs[v.docs[last]].row = d.row
	}
	v.pop()
	if v == &p.bare {
		p.unblank(slot)
	} else if last == 0 {
		p.unprofile(v)
	}
}

// unprofile drops a profile that no document has any more.
func (p *partition) unprofile(v *vectors) {
	for profile, known := range p.vectors {
		if known == v {
			delete(p.vectors, profile)
		}
	}
}

func (p *partition) unblank(slot int32) {
	for profile, slots := range p.blank {
		if delete(slots, slot); len(slots) == 0 {
			delete(p.blank, profile)
		}
	}
}
