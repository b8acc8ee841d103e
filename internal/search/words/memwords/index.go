package memwords

import (
	"context"
	"sync"

	"holdfast/internal/clock"
	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// Index is the engine. It is safe for concurrent use.
type Index struct {
	clock clock.Clock

	mu         sync.RWMutex
	partitions map[tenant.Scope]*partition
	scratch    sync.Pool // of *scratch
}

var _ words.Index = (*Index)(nil)

// New makes an empty index. The clock only tells when deletes are forgotten.
func New(c clock.Clock) *Index {
	return &Index{
		clock:      c,
		partitions: map[tenant.Scope]*partition{},
		scratch:    sync.Pool{New: func() any { return new(scratch) }},
	}
}

// Apply does the operations in order.
func (x *Index) Apply(ctx context.Context, ops []words.Op) []error {
	errs := make([]error, len(ops))
	for i := range ops {
		if errs[i] = ctx.Err(); errs[i] != nil {
			continue
		}
		if errs[i] = ops[i].Check(); errs[i] == nil {
			x.apply(&ops[i])
		}
	}
	return errs
}

// apply does one operation; text is split before the lock.
func (x *Index) apply(op *words.Op) {
	var e entry
	if !op.Delete {
		e = analyse(op.Document.Text)
	}
	p := x.open(op.Document.Scope)
	now := x.clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(now)
	p.apply(op, e, now)
}

// open answers the partition of a scope, a new one where there is none.
func (x *Index) open(scope tenant.Scope) *partition {
	if p := x.partition(scope); p != nil {
		return p
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.partitions[scope]
	if p == nil {
		p = newPartition()
		x.partitions[scope] = p
	}
	return p
}

// partition answers the partition of a scope, nil where there is none.
func (x *Index) partition(scope tenant.Scope) *partition {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.partitions[scope]
}

// Has tells whether the scope holds the document.
func (x *Index) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	p := x.partition(scope)
	if p == nil {
		return false, ctx.Err()
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, ok := p.byID[id]
	return ok, ctx.Err()
}

// Count answers how many documents the scope holds.
func (x *Index) Count(ctx context.Context, scope tenant.Scope) (int, error) {
	p := x.partition(scope)
	if p == nil {
		return 0, ctx.Err()
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.byID), ctx.Err()
}

// Ping answers nil: the engine lives in the process.
func (x *Index) Ping(ctx context.Context) error { return ctx.Err() }
