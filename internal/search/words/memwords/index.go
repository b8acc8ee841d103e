package memwords

import (
	"context"
	"sync"

	"holdfast/internal/clock"
	"holdfast/internal/search/partitions"
	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// Index is the engine. It is safe for concurrent use.
type Index struct {
	clock clock.Clock

	partitions *partitions.Set[*partition]
	scratch    sync.Pool // of *scratch
}

var _ words.Index = (*Index)(nil)

// New makes an empty index. The clock only tells when deletes are forgotten.
func New(c clock.Clock) *Index {
	return &Index{
		clock:      c,
		partitions: partitions.NewSet(func(tenant.Scope) *partition { return newPartition() }),
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
	p := x.partitions.Open(op.Document.Scope)
	now := x.clock.Now()
	p.Lock()
	defer p.Unlock()
	p.deletes.Forget(now)
	p.apply(op, e, now)
}

// Has tells whether the scope holds the document.
func (x *Index) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	return x.partitions.Has(ctx, scope, id)
}

// Count answers how many documents the scope holds.
func (x *Index) Count(ctx context.Context, scope tenant.Scope) (int, error) {
	return x.partitions.Count(ctx, scope)
}

// Ping answers nil: the engine lives in the process.
func (x *Index) Ping(ctx context.Context) error { return ctx.Err() }
