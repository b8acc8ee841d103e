package memsearch

import (
	"math"
	"strings"

	"holdfast/internal/search"
)

// pageRows is how many vectors stand in one array. Pages keep a growing index
// from being copied again and again.
const pageRows = 1024

// vectors holds the unit vectors of one profile, row after row.
type vectors struct {
	profile   string
	dimension int
	pages     [][]float32
	codes     []uint64 // by row: the vector's signs
	docs      []int32  // by row
}

// fits tells whether a document's vector is of its profile's dimension.
func (p *partition) fits(d *search.Document) bool {
	v := p.vectors[d.Profile]
	return len(d.Vector) == 0 || v == nil || v.dimension == len(d.Vector)
}

func (v *vectors) row(i int32) []float32 {
	start := int(i%pageRows) * v.dimension
	return v.pages[i/pageRows][start : start+v.dimension : start+v.dimension]
}

// code answers the signs of a row.
func (v *vectors) code(i int32) []uint64 {
	words := len(v.codes) / len(v.docs)
	return v.codes[int(i)*words : int(i+1)*words]
}

// push adds a last row. The first page grows with its rows, since most
// partitions are small; the others are made whole.
func (v *vectors) push(e entry, doc int32) {
	page := len(v.docs) / pageRows
	if page == len(v.pages) {
		v.pages = append(v.pages, nil)
		if page > 0 {
			v.pages[page] = make([]float32, 0, pageRows*v.dimension)
		}
	}
	v.pages[page] = append(v.pages[page], e.vector...)
	v.codes = append(v.codes, e.signs...)
	v.docs = append(v.docs, doc)
}

// pop removes the last row, and its page when it was the first of it.
func (v *vectors) pop() {
	last := len(v.docs) - 1
	page := last / pageRows
	v.pages[page] = v.pages[page][:last%pageRows*v.dimension]
	if last%pageRows == 0 {
		v.pages = v.pages[:page]
	}
	v.docs = v.docs[:last]
}

// rows is how many documents have such a vector.
func (v *vectors) rows() int {
	if v == nil {
		return 0
	}
	return len(v.docs)
}

// embed stores a document's vector; of one without a direction only that it came.
func (p *partition) embed(slot int32, profile string, e entry) {
	if e.vector == nil {
		if p.blank[profile] == nil {
			p.blank[strings.Clone(profile)] = map[int32]bool{}
		}
		p.blank[profile][slot] = true
		return
	}
	v := p.vectors[profile]
	if v == nil {
		v = &vectors{profile: profile, dimension: len(e.vector)}
		p.vectors[profile] = v
	}
	p.docs[slot].vectors = v
	p.docs[slot].row = int32(len(v.docs))
	v.push(e, slot)
}

// unembed removes a document's vector; the last row takes its place.
func (p *partition) unembed(slot int32) {
	d := &p.docs[slot]
	v := d.vectors
	if v == nil {
		p.unblank(slot)
		return
	}
	last := int32(len(v.docs) - 1)
	if d.row != last {
		copy(v.row(d.row), v.row(last))
		copy(v.code(d.row), v.code(last))
		v.docs[d.row] = v.docs[last]
		p.docs[v.docs[last]].row = d.row
	}
	clear(v.row(last)) // an erased vector leaves no bytes behind
	clear(v.code(last))
	v.pop()
	if last == 0 {
		delete(p.vectors, v.profile)
	}
}

func (p *partition) unblank(slot int32) {
	for profile, slots := range p.blank {
		if delete(slots, slot); len(slots) == 0 {
			delete(p.blank, profile)
		}
	}
}

// unit answers the vector at length 1; nil for one without a direction.
func unit(vector []float32) []float32 {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil
	}
	scale := float32(1 / math.Sqrt(sum))
	out := make([]float32, len(vector))
	for i, x := range vector {
		out[i] = x * scale
	}
	return out
}

// dot is the inner product of two vectors of one dimension. Four sums keep the
// processor's adders busy, which makes it three times as fast as one.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += a[0]*b[0] + a[4]*b[4]
		s1 += a[1]*b[1] + a[5]*b[5]
		s2 += a[2]*b[2] + a[6]*b[6]
		s3 += a[3]*b[3] + a[7]*b[7]
		a, b = a[8:], b[8:]
	}
	for i := range min(len(a), len(b)) {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
