package memqueue

import (
	"container/heap"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"holdfast/internal/queue"
)

type limits struct {
	visibility  time.Duration
	maxReceives int
	maxMessages int
	maxBytes    int
}

// line is one queue and its dead letters.
type line struct {
	limits
	signal chan struct{} // holds at most one wake

	mu       sync.Mutex
	next     uint64
	ready    fifo
	hidden   timed
	taken    map[uint64]*message // delivered at least once and neither deleted nor dead
	dead     []*message
	inFlight int
	count    int // messages held, dead included
	bytes    int // of their bodies
}

func newLine(l limits) *line {
	return &line{limits: l, signal: make(chan struct{}, 1), taken: make(map[uint64]*message)}
}

func (l *line) send(now time.Time, batch []queue.Message) []error {
	errs := make([]error, len(batch))
	l.mu.Lock()
	for i, m := range batch {
		errs[i] = l.add(now, m)
	}
	l.mu.Unlock()
	l.wake()
	return errs
}

func (l *line) add(now time.Time, m queue.Message) error {
	switch {
	case len(m.Body) > queue.MaxBody:
		return fmt.Errorf("%w: message of %d bytes", queue.ErrTooLarge, len(m.Body))
	case m.Delay < 0 || m.Delay > queue.MaxDelay:
		return fmt.Errorf("%w: delay of %s", queue.ErrTooLarge, m.Delay)
	case l.count >= l.maxMessages || l.bytes+len(m.Body) > l.maxBytes:
		return ErrFull
	}
	l.count++
	l.bytes += len(m.Body)
	l.enter(now, &message{body: m.Body, sent: now}, m.Delay)
	return nil
}

// enter puts a message under a new id where its delay says.
func (l *line) enter(now time.Time, m *message, delay time.Duration) {
	l.next++
	m.id, m.receives = l.next, 0
	if delay > 0 {
		m.at = now.Add(delay)
		heap.Push(&l.hidden, m)
		return
	}
	l.ready.push(m)
}

// receive answers up to limit messages and, when there are none, the time at which
// the next hidden one becomes visible (zero: none is hidden).
func (l *line) receive(now time.Time, limit int) ([]queue.Received, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	var got []queue.Received
	for len(got) < limit {
		m := l.ready.pop()
		if m == nil {
			break
		}
		if got == nil {
			got = make([]queue.Received, 0, min(limit, l.ready.len()+1))
		}
		got = append(got, l.deliver(now, m))
	}
	if len(got) > 0 || len(l.hidden) == 0 {
		return got, time.Time{}
	}
	return nil, l.hidden[0].at
}

func (l *line) deliver(now time.Time, m *message) queue.Received {
	m.receives++
	m.at = now.Add(l.visibility)
	m.held = true
	l.inFlight++
	l.taken[m.id] = m
	heap.Push(&l.hidden, m)
	return m.received()
}

// settle moves what has become visible to the ready line, or to the dead letters
// when its deliveries are used up.
func (l *line) settle(now time.Time) {
	for len(l.hidden) > 0 && !l.hidden[0].at.After(now) {
		m := l.hidden[0]
		heap.Pop(&l.hidden)
		l.surface(m)
	}
}

func (l *line) surface(m *message) {
	if m.held {
		m.held = false
		l.inFlight--
	}
	if m.receives < l.maxReceives {
		l.ready.push(m)
		return
	}
	delete(l.taken, m.id)
	l.dead = append(l.dead, m)
}

func (l *line) remove(handle string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.find(handle)
	if m == nil {
		return queue.ErrBadReceipt
	}
	if m.held {
		l.inFlight--
	}
	delete(l.taken, m.id)
	l.count--
	l.bytes -= len(m.body)
	if m.index >= 0 {
		heap.Remove(&l.hidden, m.index)
	} else {
		l.ready.drop(m)
	}
	return nil
}

func (l *line) release(now time.Time, handle string, after time.Duration) error {
	l.mu.Lock()
	l.settle(now)
	m := l.find(handle)
	if m == nil || !m.held {
		l.mu.Unlock()
		return queue.ErrBadReceipt
	}
	l.inFlight--
	m.held = false
	heap.Remove(&l.hidden, m.index)
	if after > 0 {
		m.at = now.Add(after)
		heap.Push(&l.hidden, m)
	} else {
		l.surface(m)
	}
	l.mu.Unlock()
	l.wake()
	return nil
}

// find answers the message of a handle that names its latest delivery, or nil.
func (l *line) find(handle string) *message {
	id, receives, ok := parseHandle(handle)
	if !ok {
		return nil
	}
	m := l.taken[id]
	if m == nil || m.receives != receives {
		return nil
	}
	return m
}

func (l *line) listDead(now time.Time, limit int) []queue.Received {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	out := make([]queue.Received, 0, max(0, min(limit, len(l.dead))))
	for _, m := range l.dead[:cap(out)] {
		out = append(out, m.received())
	}
	return out
}

func (l *line) redrive(now time.Time, limit int) int {
	l.mu.Lock()
	l.settle(now)
	n := max(0, min(limit, len(l.dead)))
	for _, m := range l.dead[:n] {
		l.enter(now, m, 0)
	}
	l.dead = append([]*message(nil), l.dead[n:]...)
	l.mu.Unlock()
	l.wake()
	return n
}

func (l *line) depth(now time.Time) queue.Depth {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	return queue.Depth{
		Waiting:  l.count - l.inFlight - len(l.dead),
		InFlight: l.inFlight,
		Dead:     len(l.dead),
	}
}

// wake lets one sleeping Receive look again.
func (l *line) wake() {
	select {
	case l.signal <- struct{}{}:
	default:
	}
}

func (l *line) wakeIfReady() {
	l.mu.Lock()
	more := l.ready.len() > 0 || len(l.hidden) > 0
	l.mu.Unlock()
	if more {
		l.wake()
	}
}

func handle(id uint64, receives int) string {
	var b [32]byte
	out := strconv.AppendUint(b[:0], id, 36)
	out = append(out, '.')
	return string(strconv.AppendInt(out, int64(receives), 36))
}

func parseHandle(text string) (id uint64, receives int, ok bool) {
	left, right, ok := strings.Cut(text, ".")
	if !ok {
		return 0, 0, false
	}
	id, err := strconv.ParseUint(left, 36, 64)
	if err != nil {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(right, 36, 31)
	if err != nil {
		return 0, 0, false
	}
	return id, int(n), true
}
