package memwords

import (
	"strings"
	"sync"
	"time"

	"holdfast/internal/search/partitions"
	"holdfast/internal/search/words"
)

// partition holds the documents of one scope.
type partition struct {
	sync.RWMutex
	spaces  map[string]*space
	byID    map[string]place
	deletes partitions.Deletes
}

// place is where a document lies.
type place struct {
	space *space
	slot  uint32
}

func newPartition() *partition {
	return &partition{spaces: map[string]*space{}, byID: map[string]place{}}
}

// Holds tells of a document; the partition is held.
func (p *partition) Holds(id string) bool {
	_, ok := p.byID[id]
	return ok
}

// Len is how many documents there are; the partition is held.
func (p *partition) Len() int { return len(p.byID) }

// apply does one operation unless a later one was done.
func (p *partition) apply(op *words.Op, e entry, now time.Time) {
	d := &op.Document
	old, exists := p.byID[d.ID]
	if exists && d.Sequence <= old.space.docs[old.slot].sequence {
		return
	}
	if p.deletes.Covers(d.ID, d.Sequence) {
		return
	}
	if exists {
		p.remove(d.ID, old)
	}
	if op.Delete {
		p.deletes.Add(d.ID, d.Sequence, now)
		return
	}
	id := strings.Clone(d.ID)
	s := p.spaces[d.Space]
	if s == nil {
		s = newSpace(strings.Clone(d.Space))
		p.spaces[s.name] = s
	}
	p.byID[id] = place{s, s.insert(id, d, e)}
	p.deletes.Drop(id)
}

// remove takes a document out, and its space with the last one.
func (p *partition) remove(id string, at place) {
	delete(p.byID, id)
	if at.space.remove(at.slot); at.space.count == 0 {
		delete(p.spaces, at.space.name)
	}
}
