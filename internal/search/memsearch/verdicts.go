package memsearch

import (
	"math"

	"holdfast/internal/search"
)

// verdicts tell which documents of a partition a query allows and its tallies
// count. What depends on fields alone is remembered for each set of them.
type verdicts struct {
	holds   []condition // of the query, then of its tallies
	sets    *fieldSets
	known   []uint16 // by set: bits of mask
	now     int64    // in microseconds
	without map[int32]bool
}

// Bits of mask: known at all, the query's filter, and from there on the tallies'.
const (
	bitKnown, bitQuery uint16 = 1, 2
	tallyShift                = 2
)

// always is the end of validity of what has none, and noTime the instant at which
// nothing is over.
const (
	always = math.MaxInt64
	noTime = math.MinInt64
)

func newVerdicts(p *partition, q *search.Query, known []uint16) verdicts {
	v := verdicts{sets: &p.fields, known: known, now: noTime, holds: []condition{p.fields.compile(&q.Filter)}}
	for i := range q.Tallies {
		v.holds = append(v.holds, p.fields.compile(&q.Tallies[i].Filter))
	}
	if !q.Now.IsZero() {
		v.now = search.Micros(q.Now)
	}
	for _, id := range q.Without {
		if slot, ok := p.byID[id]; ok {
			if v.without == nil {
				v.without = make(map[int32]bool, len(q.Without))
			}
			v.without[slot] = true
		}
	}
	return v
}

// mask answers which of the filters hold for a set of fields.
func (v *verdicts) mask(set uint32) uint16 {
	if v.known[set] == 0 {
		mask := bitKnown
		for i, holds := range v.holds {
			if holds == nil || holds(v.sets.members[set]) {
				mask |= bitQuery << i
			}
		}
		v.known[set] = mask
	}
	return v.known[set]
}

// over tells a document whose validity has ended.
func (v *verdicts) over(d *document) bool { return d.until <= v.now }

// left tells a document that the query leaves out by its id.
func (v *verdicts) left(slot int32) bool { return v.without != nil && v.without[slot] }

// allow tells a document that may be a hit.
func (v *verdicts) allow(p *partition, slot int32) bool {
	d := &p.docs[slot]
	return v.mask(d.fields)&bitQuery != 0 && !v.over(d) && !v.left(slot)
}
