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
	p       *partition
	rules   []rule    // of the query, then of its tallies
	like    []int     // by rule: the first one that looks at times in the same way
	times   condition // of the query's rule; nil: it looks at no times
	timed   uint16    // bits of the rules that look at times, as in mask
	known   []uint16  // by set: bits of mask
	alike   *alike    // for sets that are not known yet
	now     int64     // in microseconds
	without map[int32]bool
	plain   bool // fields alone tell what may be a hit
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

func newVerdicts(p *partition, q *search.Query, known []uint16, a *alike) verdicts {
	v := verdicts{p: p, known: known, alike: a, now: noTime, rules: make([]rule, 0, 1+len(q.Tallies))}
	c := compiler{p: p, asked: a}
	v.rules = append(v.rules, c.compile(&q.Filter))
	v.times = v.rules[0].times
	for i := range q.Tallies {
		v.rules = append(v.rules, c.compile(&q.Tallies[i].Filter))
	}
	for i := range v.rules {
		if v.rules[i].times != nil {
			v.timed |= bitQuery << i
		}
	}
	if v.timed != 0 {
		v.liken()
	}
	if !q.Now.IsZero() {
		v.now = search.Micros(q.Now)
	}
	v.leave(q.Without)
	v.plain = v.times == nil && v.without == nil && (v.now == noTime || p.ends.count == 0)
	return v
}

// liken finds the rules that look at times in the same way.
func (v *verdicts) liken() {
	for i := range v.rules {
		v.like = append(v.like, slices.IndexFunc(v.rules, func(r rule) bool { return reflect.DeepEqual(r.timed, v.rules[i].timed) }))
	}
}

// leave notes the documents of items that are no hits.
func (v *verdicts) leave(items []string) {
	for _, item := range items {
		for _, slot := range v.p.showing(item) {
			if v.without == nil {
				v.without = make(map[int32]bool, len(items))
			}
			v.without[slot] = true
		}
	}
}

// mask answers which of the filters hold for a set of fields, whatever the times.
func (v *verdicts) mask(set uint32) uint16 {
	if mask := v.known[set]; mask != 0 {
		return mask
	}
	return v.learn(set)
}

// learn evaluates the filters for a set of fields, unless they were for one that is
// like it.
func (v *verdicts) learn(set uint32) uint16 {
	members := v.p.fields.members(set)
	key, told := v.alike.key(members)
	mask := v.alike.masks[key]
	if !told || mask == 0 {
		mask = v.evaluate(members)
	}
	if told {
		v.alike.masks[key] = mask
	}
	v.known[set] = mask
	return mask
}

func (v *verdicts) evaluate(members []uint32) uint16 {
	mask := bitKnown
	for i, r := range v.rules {
		if r.fields == nil || r.fields(members, none) {
			mask |= bitQuery << i
		}
	}
	return mask
}

// maskOf answers which of the filters hold for a document.
func (v *verdicts) maskOf(slot int32) uint16 {
	mask := v.mask(v.p.sets[slot])
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
			if v.rules[i].times(v.members(slot), slot) {
				held |= like
			}
		}
		if held&like == 0 {
			mask &^= bit
		}
	}
	return mask
}

// members are the keywords of a document.
func (v *verdicts) members(slot int32) []uint32 { return v.p.fields.members(v.p.sets[slot]) }

// over tells a document whose validity has ended.
func (v *verdicts) over(slot int32) bool { return v.p.ends.over(slot, v.now) }

// left tells a document that the query leaves out by its item.
func (v *verdicts) left(slot int32) bool { return v.without != nil && v.without[slot] }

// talliesByFields tells that no tally looks at times.
func (v *verdicts) talliesByFields() bool { return v.timed&^bitQuery == 0 }

// allow tells a document that may be a hit.
func (v *verdicts) allow(p *partition, slot int32) bool {
	return v.mask(p.sets[slot])&bitQuery != 0 && (v.plain || v.stands(slot))
}

// stands tells what fields do not: that a document is neither over nor left out, and
// of the times that the query asks for.
func (v *verdicts) stands(slot int32) bool {
	return !v.over(slot) && !v.left(slot) && (v.times == nil || v.times(v.members(slot), slot))
}
