package memwords

import (
	"context"

	"holdfast/internal/search/words"
)

// scratch is the working space of a search, by slot but for the verdicts.
type scratch struct {
	raw     []uint32 // sums of the scorer's raw numbers; 0: no match
	seen    []uint16 // the pass that last came by
	folders []verdict
	tags    []verdict
}

// verdict is whether a folder is reached, or a set of tags has those asked for.
type verdict uint8

const (
	unknown verdict = iota
	yes
	no
)

// Search goes twice through the lists of the query's words: first it counts, then, with
// the numbers known, it weighs.
func (x *Index) Search(ctx context.Context, q words.Query) (words.Answer, error) {
	if err := q.Check(); err != nil {
		return words.Answer{}, err
	}
	if err := ctx.Err(); err != nil {
		return words.Answer{}, err
	}
	empty := words.Answer{Statistics: words.Statistics{DF: make([]int, len(q.Words))}}
	p, ok := x.partitions.Get(q.Scope)
	if !ok {
		return empty, nil
	}
	p.RLock()
	defer p.RUnlock()
	s := p.spaces[q.Space]
	if s == nil {
		return empty, nil
	}
	c, _ := x.scratch.Get().(*scratch)
	defer x.scratch.Put(c)
	c.reset(s)
	r := run{space: s, scratch: c, query: &q}
	stats := r.count()
	scorer := words.NewScorer(q.Words, stats)
	r.weigh(scorer)
	return words.Answer{Statistics: stats, Hits: r.best(p, scorer)}, nil
}

// reset makes room for a space and clears what the last search left.
func (c *scratch) reset(s *space) {
	c.raw = cleared(c.raw, len(s.docs))
	c.seen = cleared(c.seen, len(s.docs))
	c.folders = cleared(c.folders, len(s.folders.items))
	c.tags = cleared(c.tags, len(s.tags.items))
}

func cleared[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	list = list[:n]
	clear(list)
	return list
}

// run is one search.
type run struct {
	*space
	*scratch
	query *words.Query
}

// each calls yield once with each document in the reach that has a match of a word.
// The pass tells this round from every other.
func (r *run) each(word string, pass uint16, yield func(slot uint32)) {
	r.terms.beginning(word, func(slots []uint32) {
		for _, slot := range slots {
			if r.seen[slot] == pass {
				continue
			}
			r.seen[slot] = pass
			if r.reached(r.marks[slot].folder) {
				yield(slot)
			}
		}
	})
}

func (r *run) reached(folder uint32) bool {
	v := r.scratch.folders[folder]
	if v == unknown {
		v = verdictOf(r.query.Reaches(r.space.folders.text(folder)))
		r.scratch.folders[folder] = v
	}
	return v == yes
}

func (r *run) tagged(set uint32) bool {
	if len(r.query.Tags) == 0 {
		return true
	}
	v := r.scratch.tags[set]
	if v == unknown {
		v = verdictOf(r.query.Tagged(parted(r.space.tags.text(set))))
		r.scratch.tags[set] = v
	}
	return v == yes
}

func verdictOf(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

func (r *run) count() words.Statistics {
	all := r.within(r.query)
	stats := words.Statistics{Documents: all.documents, Length: all.length, DF: make([]int, len(r.query.Words))}
	for i, word := range r.query.Words {
		df := 0
		r.each(word, uint16(i+1), func(uint32) { df++ })
		stats.DF[i] = df
	}
	return stats
}

func (r *run) weigh(scorer words.Scorer) {
	for i, word := range r.query.Words {
		raw := uint32(scorer.Raw(i))
		r.each(word, uint16(words.MaxWords+i+1), func(slot uint32) { r.raw[slot] += raw })
	}
}
