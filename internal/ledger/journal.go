package ledger

import (
	"context"

	"holdfast/internal/tenant"
)

// Journal keeps read receipts between the answer and their seal (T.19). Append
// returns once the receipt survives the death of the process; how much of a
// power cut it survives is the adapter's to state. What is unsealed is found
// again by every later process, and what was handed to Sealed or is sealed in the
// table is answered at most until the next restart. Implementations are safe for
// concurrent use; journaltest shows these sentences for each.
type Journal interface {
	// Append keeps a receipt.
	Append(ctx context.Context, scope tenant.Scope, receipt Receipt) error
	// Find answers an unsealed receipt that is kept beside the table. One that is a
	// row of the table is not answered: Receipts.Get reads that row itself.
	Find(ctx context.Context, scope tenant.Scope, id string) (Receipt, bool, error)
	// Unsealed answers receipts that are not sealed yet, oldest first, in batches of
	// one scope and at most SealBatch: none of a scope that skip names, and no
	// batches when none is left. It may leave out some; a later call has them.
	Unsealed(ctx context.Context, skip map[tenant.Scope]bool) ([]Batch, error)
	// Sealed lets receipts go.
	Sealed(ctx context.Context, scope tenant.Scope, ids []string) error
}

// Prober is a journal that can tell beforehand whether it takes receipts. What
// needs a receipt, such as a retrieve, does not work while Ping fails.
type Prober interface {
	Ping(ctx context.Context) error
}

// Batch is receipts of one scope that one seal row can hold.
type Batch struct {
	Scope    tenant.Scope
	Receipts []Receipt
}

// Gather puts receipts into batches, in the order of each batch's first receipt.
// It is what journals share.
type Gather struct {
	batches []Batch
	open    map[tenant.Scope]int // the batch of a scope that may have room
}

// Add notes a receipt.
func (g *Gather) Add(scope tenant.Scope, receipt Receipt) {
	if g.open == nil {
		g.open = map[tenant.Scope]int{}
	}
	i, known := g.open[scope]
	if !known || len(g.batches[i].Receipts) == SealBatch {
		i = len(g.batches)
		g.open[scope] = i
		g.batches = append(g.batches, Batch{Scope: scope})
	}
	g.batches[i].Receipts = append(g.batches[i].Receipts, receipt)
}

// Batches answers what was gathered.
func (g *Gather) Batches() []Batch { return g.batches }
