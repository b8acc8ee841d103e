package memqueue

import (
	"strconv"
	"time"

	"holdfast/internal/queue"
)

// message is one entry. A zero index would be a place in the heap, so messages
// outside it carry -1.
type message struct {
	id       uint64
	body     string
	sent     time.Time
	receives int
	held     bool      // delivered and not yet visible again
	gone     bool      // deleted while it stood in the ready line
	at       time.Time // when it becomes visible
	index    int       // in timed; -1 outside
}

func (m *message) received() queue.Received {
	return queue.Received{
		ID:       strconv.FormatUint(m.id, 36),
		Body:     m.body,
		Handle:   handle(m.id, m.receives),
		Receives: m.receives,
		SentAt:   m.sent,
	}
}

// timed is a heap of hidden messages, soonest first.
type timed []*message

// Len implements heap.Interface.
func (t timed) Len() int { return len(t) }

// Less implements heap.Interface.
func (t timed) Less(i, j int) bool { return t[i].at.Before(t[j].at) }

// Swap implements heap.Interface.
func (t timed) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].index, t[j].index = i, j
}

// Push implements heap.Interface.
func (t *timed) Push(x any) {
	m := x.(*message)
	m.index = len(*t)
	*t = append(*t, m)
}

// Pop implements heap.Interface.
func (t *timed) Pop() any {
	last := len(*t) - 1
	m := (*t)[last]
	(*t)[last] = nil
	*t = (*t)[:last]
	m.index = -1
	return m
}

// fifo is the line of visible messages: a slice with a moving head, shifted down
// when more than half of it is used up.
type fifo struct {
	items []*message
	head  int
	gone  int // deleted ones among items
}

func (f *fifo) len() int { return len(f.items) - f.head - f.gone }

func (f *fifo) push(m *message) {
	m.index = -1
	f.items = append(f.items, m)
}

func (f *fifo) pop() *message {
	for f.head < len(f.items) {
		m := f.items[f.head]
		f.items[f.head] = nil
		f.head++
		f.compact()
		if !m.gone {
			return m
		}
		f.gone--
	}
	return nil
}

// drop marks a message as deleted; pop passes over it.
func (f *fifo) drop(m *message) {
	m.gone, m.body = true, ""
	f.gone++
}

func (f *fifo) compact() {
	if f.head == len(f.items) {
		f.items, f.head = f.items[:0], 0
	} else if f.head > 1024 && f.head > len(f.items)/2 {
		n := copy(f.items, f.items[f.head:])
		clear(f.items[n:])
		f.items, f.head = f.items[:n], 0
	}
}
