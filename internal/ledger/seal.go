package ledger

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// SealBatch is the most receipts of one seal row: their rows and the commit's own
// must fit one transaction.
const SealBatch = 80

// SealOf answers the rows of receipts that are not in the store yet and the entry
// that seals them. Receipts sealed before (a crash came between the commit and
// the journal) are left out; no entry means that nothing is left.
func SealOf(ctx context.Context, s store.Store, scope tenant.Scope, operationID string, receipts []Receipt) ([]store.Action, *Entry, error) {
	fresh, err := unsealed(ctx, s, scope, receipts)
	if err != nil || len(fresh) == 0 {
		return nil, nil, err
	}
	entry := Entry{Op: Seal, Family: "receipts"}
	var actions []store.Action
	var canonical [][]byte
	for _, r := range fresh {
		raw, err := r.Encode(scope)
		if err != nil {
			return nil, nil, err
		}
		key, _ := receiptKey(scope, r.ID)
		actions = append(actions, store.PutItem("rc-"+r.ID, store.Item{
			Key:   key,
			Attrs: store.Attrs{attrDoc: store.B(raw), attrSealOperation: store.S(operationID)},
		}, store.IfAbsent()))
		canonical = append(canonical, raw)
		entry.Sealed = append(entry.Sealed, r.ID)
	}
	entry.Commitment = digest(canonical)
	return actions, &entry, nil
}

func unsealed(ctx context.Context, s store.Store, scope tenant.Scope, receipts []Receipt) ([]Receipt, error) {
	var ks []store.Key
	var known []Receipt
	for _, r := range receipts {
		if key, ok := receiptKey(scope, r.ID); ok {
			ks, known = append(ks, key), append(known, r)
		}
	}
	if len(ks) == 0 {
		return nil, nil
	}
	items, err := s.GetMany(ctx, ks)
	if err != nil {
		return nil, err
	}
	var fresh []Receipt
	for i, item := range items {
		if item == nil {
			fresh = append(fresh, known[i])
		}
	}
	return fresh, nil
}
