package ledger

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// SealBatch is the most receipts of one seal row: their rows and the commit's own
// must fit one transaction.
const SealBatch = 80

// SealOf answers the rows of receipts that are not sealed in the store yet and
// the entry that seals them. A receipt that has no row gets one; a row that waits
// for its seal is replaced by the sealed one on the condition that it still
// waits. Receipts sealed before (a crash came between the commit and the journal,
// or another sealer was faster) are left out; no entry means that nothing is left.
func SealOf(ctx context.Context, s store.Store, scope tenant.Scope, operationID string, receipts []Receipt) ([]store.Action, *Entry, error) {
	open, err := unsealed(ctx, s, scope, receipts)
	if err != nil || len(open) == 0 {
		return nil, nil, err
	}
	entry := Entry{Op: Seal, Family: "receipts"}
	var actions []store.Action
	var canonical [][]byte
	for _, r := range open {
		sealed := store.Item{Key: r.key,
			Attrs: store.Attrs{attrDoc: store.B(r.canonical), attrSealOperation: store.S(operationID)}}
		actions = append(actions, store.PutItem("rc-"+r.id, sealed, r.cond))
		canonical = append(canonical, r.canonical)
		entry.Sealed = append(entry.Sealed, r.id)
	}
	entry.Commitment = digest(canonical)
	return actions, &entry, nil
}

// openReceipt is a receipt that is to be sealed, and what must hold for its row
// when it is.
type openReceipt struct {
	id        string
	key       store.Key
	canonical []byte
	cond      *store.Cond
}

func unsealed(ctx context.Context, s store.Store, scope tenant.Scope, receipts []Receipt) ([]openReceipt, error) {
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
	var open []openReceipt
	for i, item := range items {
		one := openReceipt{id: known[i].ID, key: ks[i]}
		switch {
		case item == nil:
			one.cond = store.IfAbsent()
			one.canonical, err = known[i].Encode(scope)
		case Waits(*item): // what is stored is what was acknowledged
			one.cond = waits()
			one.canonical = item.Attrs.Bytes(attrDoc)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		open = append(open, one)
	}
	return open, nil
}
