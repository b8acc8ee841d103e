package memsearch

import (
	"context"
	"runtime"
	"sync"
)

// atOnce is how many searches are under way at a time for each processor: more would
// share the processors and take longer, each with working space of its own. It is two,
// so that a search of a small workspace need not wait for those of large ones.
const atOnce = 2

// turns lets searches begin, and keeps the working space of those that have ended.
type turns struct {
	room chan struct{}
	mu   sync.Mutex
	idle []*run // the one used last at the end, since it may still be in the cache
}

func newTurns() turns {
	return turns{room: make(chan struct{}, atOnce*runtime.GOMAXPROCS(0))}
}

// take waits for a turn. Whoever has one gives it back.
func (t *turns) take(ctx context.Context) (*run, error) {
	select {
	case t.room <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.idle) - 1
	if last < 0 {
		return &run{}, nil
	}
	r := t.idle[last]
	t.idle = t.idle[:last]
	return r, nil
}

func (t *turns) give(r *run) {
	t.mu.Lock()
	t.idle = append(t.idle, r)
	t.mu.Unlock()
	<-t.room
}
