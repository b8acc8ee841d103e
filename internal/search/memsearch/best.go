package memsearch

import (
	"slices"
	"strings"
)

// scored is a document with a score, which the partition's number tells apart
// from those of other partitions.
type scored struct {
	score     float64
	id        string
	partition int32
	slot      int32
}

// above orders by score, then by newer id, then by the order of the scopes.
func (a *scored) above(b *scored) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	if a.id != b.id {
		return a.id > b.id
	}
	return a.partition < b.partition
}

// best keeps the greatest of what is offered: a heap with the least on top.
type best struct {
	items []scored
	most  int
}

// full tells that nothing at or below the answered score can enter, ties aside.
func (h *best) full() (float64, bool) {
	if len(h.items) < h.most {
		return 0, false
	}
	return h.items[0].score, true
}

func (h *best) offer(s scored) {
	if len(h.items) < h.most {
		h.items = append(h.items, s)
		h.up(len(h.items) - 1)
		return
	}
	if s.above(&h.items[0]) {
		h.items[0] = s
		h.down(0)
	}
}

func (h *best) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.items[parent].above(&h.items[i]) {
			return
		}
		h.items[parent], h.items[i] = h.items[i], h.items[parent]
		i = parent
	}
}

func (h *best) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.items); child++ {
			if h.items[least].above(&h.items[child]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.items[i], h.items[least] = h.items[least], h.items[i]
		i = least
	}
}

// holds tells whether something that was offered, by its order, was kept. It asks
// for sorted items.
func (h *best) holds(s scored) bool {
	return len(h.items) < h.most || !h.items[len(h.items)-1].above(&s)
}

// sorted answers what was kept, the greatest first.
func (h *best) sorted() []scored {
	slices.SortFunc(h.items, func(a, b scored) int {
		switch {
		case a.above(&b):
			return -1
		case b.above(&a):
			return 1
		}
		return strings.Compare(a.id, b.id)
	})
	return h.items
}
