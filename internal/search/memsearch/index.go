package memsearch

import (
	"context"
	"sync"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Index is the engine. It is safe for concurrent use.
type Index struct {
	clock clock.Clock

	mu         sync.RWMutex
	partitions map[tenant.Scope]*partition
	turns      turns
}

var _ search.Index = (*Index)(nil)

// New makes an empty index. The clock only tells when deletes are forgotten.
func New(c clock.Clock) *Index {
	return &Index{clock: c, partitions: map[tenant.Scope]*partition{}, turns: newTurns()}
}

// applyRun is how many operations run under one lock, so that searches need not
// wait for a whole batch.
const applyRun = 64

// Apply does the operations in order.
func (x *Index) Apply(ctx context.Context, ops []search.Op) []error {
	errs := make([]error, len(ops))
	for start := 0; start < len(ops); {
		end := start + 1
		for end < len(ops) && end-start < applyRun && ops[end].Document.Scope == ops[start].Document.Scope {
			end++
		}
		if err := ctx.Err(); err != nil {
			fill(errs[start:], err)
			return errs
		}
		x.run(ops[start:end], errs[start:end])
		start = end
	}
	return errs
}

func fill(errs []error, err error) {
	for i := range errs {
		errs[i] = err
	}
}

// run applies operations of one scope; text is analysed before the lock.
func (x *Index) run(ops []search.Op, errs []error) {
	entries := make([]entry, len(ops))
	for i := range ops {
		if errs[i] = check(ops[i]); errs[i] == nil && !ops[i].Delete {
			entries[i] = analyse(&ops[i].Document)
		}
	}
	p := x.open(ops[0].Document.Scope)
	now := x.clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(now)
	for i := range ops {
		if errs[i] == nil {
			errs[i] = p.apply(&ops[i], &entries[i], now)
		}
	}
}

func check(op search.Op) error {
	if op.Document.Scope.IsZero() || op.Document.ID == "" {
		return search.ErrBadRequest
	}
	return nil
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
		p = newPartition(scope)
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
