package memsearch

import (
	"math"
	"reflect"
	"slices"

	"holdfast/internal/search"
)

// verdicts tell which documents of a partition a query allows and its tallies
// count. What depends on fields alone is remembered for each set of them.
type verdicts struct {
	rules   []rule    // of the query, then of its tallies
	like    []int     // by rule: the first one that looks at times in the same way
	times   condition // of the query's rule; nil: it looks at no times
	timed   uint16    // bits of the rules that look at times, as in mask
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
	v := verdicts{sets: &p.fields, known: known, now: noTime, rules: []rule{p.compile(&q.Filter)}}
	v.times = v.rules[0].times
	for i := range q.Tallies {
		v.rules = append(v.rules, p.compile(&q.Tallies[i].Filter))
	}
	for i := range v.rules {
		if v.rules[i].times != nil {
			v.timed |= bitQuery << i
		}
		v.like = append(v.like, slices.IndexFunc(v.rules, func(r rule) bool { return reflect.DeepEqual(r.timed, v.rules[i].timed) }))
	}
	if !q.Now.IsZero() {
		v.now = search.Micros(q.Now)
	}
	for _, item := range q.Without {
		for _, slot := range p.showing(item) {
			if v.without == nil {
				v.without = make(map[int32]bool, len(q.Without))
			}
			v.without[slot] = true
		}
	}
	return v
}

// mask answers which of the filters hold for a set of fields, whatever the times.
func (v *verdicts) mask(set uint32) uint16 {
	if v.known[set] == 0 {
		mask := bitKnown
		for i, r := range v.rules {
			if r.fields == nil || r.fields(v.sets.members[set], none) {
				mask |= bitQuery << i
			}
		}
		v.known[set] = mask
	}
	return v.known[set]
}

// maskOf answers which of the filters hold for a document.
func (v *verdicts) maskOf(d *document, slot int32) uint16 {
	mask := v.mask(d.fields)
	if mask&v.timed == 0 {
		return mask
	}
	var asked, held uint16
	for i := range v.rules {
		bit, like := bitQuery<<i, bitQuery<<v.like[i]
		if mask&v.timed&bit == 0 {
			continue
		}
		if asked&like == 0 {
			asked |= like
			if v.rules[i].times(v.sets.members[d.fields], slot) {
				held |= like
			}
		}
		if held&like == 0 {
			mask &^= bit
		}
	}
	return mask
}

// over tells a document whose validity has ended.
func (v *verdicts) over(d *document) bool { return d.until <= v.now }

// left tells a document that the query leaves out by its item.
func (v *verdicts) left(slot int32) bool { return v.without != nil && v.without[slot] }

// alike tells that the tallies' filters treat documents with one set of fields the
// same.
func (v *verdicts) alike() bool { return v.without == nil && v.timed&^bitQuery == 0 }

// allow tells a document that may be a hit.
func (v *verdicts) allow(p *partition, slot int32) bool {
	d := &p.docs[slot]
	return v.mask(d.fields)&bitQuery != 0 && !v.over(d) && !v.left(slot) &&
		(v.times == nil || v.times(v.sets.members[d.fields], slot))
}
