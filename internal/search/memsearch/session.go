package memsearch

import (
	"slices"
	"strings"

	"holdfast/internal/search"
)

// session keeps its documents in the order of their ids.
type session struct {
	name  string
	order []int32
}

// join puts a document into its session and links it with its neighbours.
func (p *partition) join(slot int32, name string) {
	s := p.sessions[name]
	if s == nil {
		s = &session{name: strings.Clone(name)}
		p.sessions[s.name] = s
	}
	p.docs[slot].session = s
	i, _ := p.position(s, p.docs[slot].id)
	s.order = slices.Insert(s.order, i, slot)
	p.connect(at(s.order, i-1), slot)
	p.connect(slot, at(s.order, i+1))
	p.measureFrom(s, i-1, i+2)
}

// leave takes a document out of its session and joins its neighbours.
func (p *partition) leave(slot int32) {
	s := p.docs[slot].session
	if s == nil {
		return
	}
	i, _ := p.position(s, p.docs[slot].id)
	s.order = slices.Delete(s.order, i, i+1)
	if len(s.order) == 0 {
		delete(p.sessions, s.name)
		return
	}
	p.connect(at(s.order, i-1), at(s.order, i))
	p.measureFrom(s, i-1, i+1)
}

// measureFrom measures the documents of a stretch again, which is as far as a
// window reaches beyond a change.
func (p *partition) measureFrom(s *session, from, to int) {
	for i := max(0, from); i <= to && i < len(s.order); i++ {
		p.measure(s.order[i])
	}
}

// measure sets the length of a document's passages, with the window's share.
func (p *partition) measure(slot int32) {
	share := int32(0)
	l := p.links[slot]
	if l.prev != none {
		share += p.links[l.prev].previous() * p.docs[l.prev].tokens
		if second := p.links[l.prev].prev; second != none {
			share += search.WeightSecond * p.docs[second].tokens
		}
	}
	if l.next != none {
		share += search.WeightNext * p.docs[l.next].tokens
	}
	p.words.measure(l.passage, share)
}

// position finds where an id stands in the session. Most documents come last.
func (p *partition) position(s *session, id string) (int, bool) {
	if n := len(s.order); n == 0 || p.docs[s.order[n-1]].id < id {
		return n, false
	}
	return slices.BinarySearchFunc(s.order, id, func(slot int32, id string) int {
		return strings.Compare(p.docs[slot].id, id)
	})
}

func at(order []int32, i int) int32 {
	if i < 0 || i >= len(order) {
		return none
	}
	return order[i]
}

// connect makes two documents that follow each other neighbours, unless one of
// them is absent or has a role for a speaker.
func (p *partition) connect(a, b int32) {
	apart := a == none || b == none || p.docs[a].role || p.docs[b].role
	if a != none {
		p.links[a].next = b
		if apart {
			p.links[a].next = none
		}
	}
	if b != none {
		p.links[b].prev = a
		if apart {
			p.links[b].prev = none
		}
	}
}
