package ledger

import (
	"holdfast/internal/tenant"
)

// Journal keeps read receipts between the answer and their seal (T.19). Append
// returns once the receipt survives the death of the process; how much of a
// power cut it survives is the adapter's to state. Implementations are safe for
// concurrent use.
type Journal interface {
	// Append keeps a receipt.
	Append(scope tenant.Scope, receipt Receipt) error
	// Find answers a receipt that is not sealed yet.
	Find(scope tenant.Scope, id string) (Receipt, bool)
	// Unsealed answers up to limit receipts of one scope that skip does not name,
	// oldest first; false when there is none. Receipts stay until Sealed.
	Unsealed(limit int, skip map[tenant.Scope]bool) (tenant.Scope, []Receipt, bool)
	// Sealed lets receipts go.
	Sealed(scope tenant.Scope, ids []string) error
}
