package memwords

import (
	"strings"
	"sync"
	"time"

	"holdfast/internal/search/words"
)

// rememberDeletes is how long a delete's sequence is known.
const rememberDeletes = time.Minute

// partition holds the documents of one scope.
type partition struct {
	mu       sync.RWMutex
	spaces   map[string]*space
	byID     map[string]place
	gone     map[string]deletion
	goneList []deletion // in order of time
}

// place is where a document lies.
type place struct {
	space *space
	slot  uint32
}

// deletion is a remembered delete.
type deletion struct {
	id       string
	sequence int64
	at       time.Time
}

func newPartition() *partition {
	return &partition{spaces: map[string]*space{}, byID: map[string]place{}, gone: map[string]deletion{}}
}

// apply does one operation unless a later one was done.
func (p *partition) apply(op *words.Op, e entry, now time.Time) {
	d := &op.Document
	old, exists := p.byID[d.ID]
	if exists && d.Sequence <= old.space.docs[old.slot].sequence {
		return
	}
	if gone, ok := p.gone[d.ID]; ok && d.Sequence <= gone.sequence {
		return
	}
	if exists {
		p.remove(d.ID, old)
	}
	if op.Delete {
		p.remember(deletion{id: strings.Clone(d.ID), sequence: d.Sequence, at: now})
		return
	}
	id := strings.Clone(d.ID)
	s := p.spaces[d.Space]
	if s == nil {
		s = newSpace(strings.Clone(d.Space))
		p.spaces[s.name] = s
	}
	p.byID[id] = place{s, s.insert(id, d, e)}
	delete(p.gone, id)
}

// remove takes a document out, and its space with the last one.
func (p *partition) remove(id string, at place) {
	delete(p.byID, id)
	if at.space.remove(at.slot); at.space.count == 0 {
		delete(p.spaces, at.space.name)
	}
}

func (p *partition) remember(d deletion) {
	p.gone[d.id] = d
	p.goneList = append(p.goneList, d)
}

// forget drops deletes older than a minute.
func (p *partition) forget(now time.Time) {
	for len(p.goneList) > 0 && now.Sub(p.goneList[0].at) > rememberDeletes {
		d := p.goneList[0]
		p.goneList = p.goneList[1:]
		if p.gone[d.id] == d {
			delete(p.gone, d.id)
		}
	}
}
