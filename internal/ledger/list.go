package ledger

import (
	"context"

	"holdfast/internal/tenant"
)

// scanLimit bounds how many log rows one page of the list looks at.
const scanLimit = 1000

// Position is a place in the list of receipts: after the given number of
// receipts of the row at Sequence. The zero Position is the start.
type Position struct {
	Sequence int64
	Skip     int
}

// List answers up to limit receipts that are in the chain, newest row first, of
// one kind (empty: all). The next position is nil at the end; a page may be short,
// even empty, and still have one. Receipts that wait for their seal (at most
// seconds) are not listed, so the order is final and pages neither skip nor repeat.
// Where a row is damaged the error is Unprocessable, as Get's.
func (r Receipts) List(ctx context.Context, scope tenant.Scope, kind Kind, limit int, from Position) ([]Receipt, *Position, error) {
	found, next, err := r.list(ctx, scope, kind, limit, from)
	return found, next, readable(err)
}

func (r Receipts) list(ctx context.Context, scope tenant.Scope, kind Kind, limit int, from Position) ([]Receipt, *Position, error) {
	at := from
	if at.Sequence == 0 {
		head, err := ReadHead(ctx, r.Store, scope)
		if err != nil {
			return nil, nil, err
		}
		at.Sequence = head.Sequence
	}
	rows, err := Log{r.Store}.RowsBefore(ctx, scope, at.Sequence, scanLimit)
	if err != nil {
		return nil, nil, err
	}
	var out []Receipt
	for _, row := range rows {
		found, err := r.of(ctx, scope, row, kind)
		if err != nil {
			return nil, nil, err
		}
		skip := 0
		if row.Sequence == at.Sequence {
			skip = min(at.Skip, len(found))
		}
		room := limit - len(out)
		if len(found)-skip > room {
			return append(out, found[skip:skip+room]...), &Position{Sequence: row.Sequence, Skip: skip + room}, nil
		}
		out = append(out, found[skip:]...)
		if len(out) == limit && row.Sequence > 1 {
			return out, &Position{Sequence: row.Sequence - 1}, nil
		}
	}
	if n := len(rows); n == scanLimit && rows[n-1].Sequence > 1 {
		return out, &Position{Sequence: rows[n-1].Sequence - 1}, nil
	}
	return out, nil, nil
}

// of answers the receipts of one row: those it seals, or the write's when the row
// is the write's first.
func (r Receipts) of(ctx context.Context, scope tenant.Scope, row Row, kind Kind) ([]Receipt, error) {
	if row.Entry.Op == Seal {
		return r.sealedBy(ctx, scope, row, kind)
	}
	if kind != "" && row.Kind != kind {
		return nil, nil
	}
	op, found, err := ReadOperation(ctx, r.Store, scope, row.OperationID)
	if err != nil || !found || op.Sequence != row.Sequence {
		return nil, err
	}
	receipt, found, err := r.write(ctx, scope, row.OperationID)
	if err != nil || !found {
		return nil, err
	}
	return []Receipt{receipt}, nil
}

func (r Receipts) sealedBy(ctx context.Context, scope tenant.Scope, row Row, kind Kind) ([]Receipt, error) {
	items, err := Log{r.Store}.sealedItems(ctx, scope, row.Entry.Sealed)
	if err != nil {
		return nil, err
	}
	var out []Receipt
	for _, item := range items {
		if item == nil {
			continue
		}
		_, receipt, err := DecodeReceipt(item.Attrs.Bytes(attrDoc))
		if err != nil {
			return nil, err
		}
		if kind == "" || receipt.Kind == kind {
			out = append(out, receipt.in(row))
		}
	}
	return out, nil
}
