package memsearch

import (
	"context"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/search/partitions"
	"holdfast/internal/tenant"
)

// Index is the engine. It is safe for concurrent use.
type Index struct {
	clock clock.Clock

	partitions *partitions.Set[*partition]
	turns      turns
}

var _ search.Index = (*Index)(nil)

// New makes an empty index. The clock only tells when deletes are forgotten.
func New(c clock.Clock) *Index {
	return &Index{clock: c, partitions: partitions.NewSet(newPartition), turns: newTurns()}
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
	p := x.partitions.Open(ops[0].Document.Scope)
	now := x.clock.Now()
	p.Lock()
	defer p.Unlock()
	p.deletes.Forget(now)
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
