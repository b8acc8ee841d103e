package ledger

import (
	"bytes"
	"context"
	"errors"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Break is the first place where a chain does not hold.
type Break struct {
	Sequence int64  `json:"sequence"`
	Reason   string `json:"reason"` // missing, hash, receipts, head or damaged
}

// Verdict is the answer of Verify.
type Verdict struct {
	Checked int64  // rows looked at, up to and including a broken one
	Break   *Break // nil: the chain holds
}

// damaged is the reason of a break where the store answers ErrDamaged.
const damaged = "damaged"

// verifyPage is how many rows are read at a time.
const verifyPage = 500

// Verify checks rows from to to, both inclusive (T.48); to 0 means the head. Each
// row's hash must fit its bytes and the hash before it, seal rows must fit the
// receipts they name, and the newest row must be the one the head names. What the
// store cannot read any more is a break too, "damaged": a row at its sequence, a
// seal's receipts at the seal's, the row before from there, and the head at from.
// The texts that rows commit to are not looked at.
func (l Log) Verify(ctx context.Context, scope tenant.Scope, from, to int64) (Verdict, error) {
	from = max(from, 1)
	head, err := ReadHead(ctx, l.Store, scope)
	if errors.Is(err, store.ErrDamaged) {
		return Verdict{Break: &Break{Sequence: from, Reason: damaged}}, nil
	}
	if err != nil {
		return Verdict{}, err
	}
	if to <= 0 || to > head.Sequence {
		to = head.Sequence
	}
	v := verifier{log: l, scope: scope, next: from}
	v.previous, err = l.hashBefore(ctx, scope, from)
	if errors.Is(err, store.ErrDamaged) {
		return Verdict{Break: &Break{Sequence: from - 1, Reason: damaged}}, nil
	}
	if err != nil {
		return Verdict{}, err
	}
	for v.next <= to && v.verdict.Break == nil {
		if err := v.page(ctx, to); err != nil {
			return Verdict{}, err
		}
	}
	if v.verdict.Break == nil && to == head.Sequence && from <= to && !bytes.Equal(v.previous, head.Hash) {
		v.verdict.Break = &Break{Sequence: to, Reason: "head"}
	}
	return v.verdict, nil
}

// hashBefore answers the hash that the row at from must follow.
func (l Log) hashBefore(ctx context.Context, scope tenant.Scope, from int64) ([]byte, error) {
	if from <= 1 {
		return Genesis(), nil
	}
	row, found, err := l.Row(ctx, scope, from-1)
	if err != nil || !found {
		return nil, err
	}
	return row.Hash, nil
}

type verifier struct {
	log      Log
	scope    tenant.Scope
	next     int64
	previous []byte
	verdict  Verdict
}

func (v *verifier) page(ctx context.Context, to int64) error {
	end := min(v.next+verifyPage-1, to)
	items, err := v.log.items(ctx, v.scope, v.next, int(end-v.next+1))
	if errors.Is(err, store.ErrDamaged) {
		return v.single(ctx, end)
	}
	if err != nil {
		return err
	}
	if len(items) == 0 {
		v.broken("missing")
		return nil
	}
	for _, item := range items {
		if err := v.row(ctx, item); err != nil || v.verdict.Break != nil {
			return err
		}
	}
	return nil
}

// single checks the rows of a page one by one, up to the one that is damaged.
func (v *verifier) single(ctx context.Context, end int64) error {
	for v.next <= end && v.verdict.Break == nil {
		item, found, err := v.log.Store.Get(ctx, keys.Log(v.scope, v.next))
		switch {
		case errors.Is(err, store.ErrDamaged):
			v.verdict.Checked++
			v.broken(damaged)
			return nil
		case err != nil:
			return err
		case !found:
			v.broken("missing")
			return nil
		}
		if err := v.row(ctx, item); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) broken(reason string) {
	v.verdict.Break = &Break{Sequence: v.next, Reason: reason}
}

func (v *verifier) row(ctx context.Context, item store.Item) error {
	row, err := RowFromItem(item)
	if err != nil || row.Sequence != v.next {
		v.broken("missing")
		return nil
	}
	v.verdict.Checked++
	if !intact(item, v.previous) {
		v.broken("hash")
		return nil
	}
	if row.Entry.Op == Seal {
		ok, err := v.log.receiptsIntact(ctx, v.scope, row)
		if errors.Is(err, store.ErrDamaged) {
			v.broken(damaged)
			return nil
		}
		if err != nil {
			return err
		}
		if !ok {
			v.broken("receipts")
			return nil
		}
	}
	v.next, v.previous = v.next+1, row.Hash
	return nil
}

// receiptsIntact tells whether the receipts that a seal row names are all there
// and unchanged.
func (l Log) receiptsIntact(ctx context.Context, scope tenant.Scope, row Row) (bool, error) {
	items, err := l.sealedItems(ctx, scope, row.Entry.Sealed)
	if err != nil {
		return false, err
	}
	canonical := make([][]byte, 0, len(items))
	for _, item := range items {
		if item == nil {
			return false, nil
		}
		canonical = append(canonical, item.Attrs.Bytes(attrDoc))
	}
	return bytes.Equal(digest(canonical), row.Entry.Commitment), nil
}

func (l Log) sealedItems(ctx context.Context, scope tenant.Scope, ids []string) ([]*store.Item, error) {
	ks := make([]store.Key, 0, len(ids))
	for _, id := range ids {
		key, ok := receiptKey(scope, id)
		if !ok {
			return []*store.Item{nil}, nil
		}
		ks = append(ks, key)
	}
	if len(ks) == 0 {
		return nil, nil
	}
	return l.Store.GetMany(ctx, ks)
}
