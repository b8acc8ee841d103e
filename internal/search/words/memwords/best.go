package memwords

import (
	"slices"
	"strings"

	"holdfast/internal/search/words"
)

// scored is a document with its score.
type scored struct {
	words.Hit
	updated int64
}

// compare orders the better one first.
func compare(a, b scored) int {
	switch {
	case a.Score != b.Score:
		return sign(a.Score > b.Score)
	case a.updated != b.updated:
		return sign(a.updated > b.updated)
	}
	return strings.Compare(b.ID, a.ID)
}

func sign(first bool) int {
	if first {
		return -1
	}
	return 1
}

// best answers the best of what matched. They are few, so they are kept in order.
func (r *run) best(p *partition, scorer words.Scorer) []words.Hit {
	out := r.without(p)
	var kept []scored
	for slot := len(r.raw) - 1; slot >= 0; slot-- { // the newest are mostly at the end and win ties
		m := &r.marks[slot]
		if r.raw[slot] == 0 || !r.tagged(m.tags) || out[uint32(slot)] {
			continue
		}
		s := scored{updated: m.updated}
		s.Score, s.Matched = scorer.Of(int(r.raw[slot]), int(m.length))
		if len(kept) == r.query.Limit {
			if last := kept[len(kept)-1]; s.Score < last.Score || s.Score == last.Score && s.updated < last.updated {
				continue // most go here, without a look at the id
			}
		}
		if s.ID = r.docs[slot].id; len(kept) == r.query.Limit {
			if compare(s, kept[len(kept)-1]) > 0 {
				continue
			}
			kept = kept[:len(kept)-1]
		}
		at, _ := slices.BinarySearchFunc(kept, s, compare)
		kept = slices.Insert(kept, at, s)
	}
	hits := make([]words.Hit, len(kept))
	for i := range kept {
		hits[i] = kept[i].Hit
	}
	return hits
}

// without answers the slots that the query leaves out.
func (r *run) without(p *partition) map[uint32]bool {
	if len(r.query.Without) == 0 {
		return nil
	}
	out := make(map[uint32]bool, len(r.query.Without))
	for _, id := range r.query.Without {
		if at, ok := p.byID[id]; ok && at.space == r.space {
			out[at.slot] = true
		}
	}
	return out
}
