package ledger

import (
	"fmt"
	"hash/fnv"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

const (
	attrKind = "kind" // of rows that the relay and the due index lead to
	// WaitingKind marks the row of a read receipt that waits for its seal.
	WaitingKind = "receipt"
)

// sealGrace is how long a receipt's row may wait before it counts as due. The
// sealer looks ahead, so this is no delay: it keeps the row out of what the sweep
// reads while the sealer is in time.
const sealGrace = time.Minute

// SealHorizon is how far ahead of now a sealer must look in the due index to see
// every row that waits, whichever clock wrote it.
const SealHorizon = 2 * sealGrace

// WaitingRow is the row of a read receipt that waits for its seal: the sealed row
// without its operation. It is in the due index, so that the sealer finds it, in a
// shard that its id decides: the receipts of one busy workspace would be more than
// one partition of the index can take.
func WaitingRow(scope tenant.Scope, r Receipt) (store.Item, error) {
	key, ok := receiptKey(scope, r.ID)
	if !ok {
		return store.Item{}, fmt.Errorf("ledger: receipt %q has no time in its id", r.ID)
	}
	canonical, err := r.Encode(scope)
	if err != nil {
		return store.Item{}, fmt.Errorf("ledger: receipt: %w", err)
	}
	return store.Item{
		Key:   key,
		Attrs: store.Attrs{attrDoc: store.B(canonical), attrKind: store.S(WaitingKind)},
		Due:   &store.Due{Shard: receiptShard(r.ID), At: r.At.Add(sealGrace)},
	}, nil
}

// Waits tells a receipt's row that waits for its seal from a sealed one.
func Waits(item store.Item) bool { return item.Attrs.Text(attrKind) == WaitingKind }

// waits is the condition that a row waits still: a sealed row has no kind.
func waits() *store.Cond { return store.IfEqual(attrKind, store.S(WaitingKind)) }

// ReadWaiting answers the receipt of a row that waits.
func ReadWaiting(item store.Item) (tenant.Scope, Receipt, error) {
	return DecodeReceipt(item.Attrs.Bytes(attrDoc))
}

func receiptShard(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return int(h.Sum32() % store.Shards)
}
