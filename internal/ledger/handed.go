package ledger

import (
	"context"
	"slices"
	"time"

	"holdfast/internal/tenant"
)

// Hunt asks for the reads that handed an item out.
type Hunt struct {
	Kind   Kind
	ItemID string
	Since  int64 // sequence of the first log row that counts
	Most   int   // most receipts of the kind that are looked through
}

// Handing is a read that handed the item out.
type Handing struct {
	ReceiptID string
	At        time.Time
	Rank      int // place of the item in the receipt, from 1
	Score     *float64
}

// mostHunted bounds the log rows of a hunt: those of writes lie between the seals.
const mostHunted = 20 * scanLimit

// Handed answers the sealed read receipts that hold an item, newest first. from is
// the time of the oldest log row that was looked at when a bound ended the hunt
// before Since; zero when none did. Where a row is damaged the error is
// Unprocessable, as Get's.
func (r Receipts) Handed(ctx context.Context, scope tenant.Scope, h Hunt) (found []Handing, from time.Time, err error) {
	found, from, err = r.handed(ctx, scope, h)
	return found, from, readable(err)
}

func (r Receipts) handed(ctx context.Context, scope tenant.Scope, h Hunt) (found []Handing, from time.Time, err error) {
	head, err := ReadHead(ctx, r.Store, scope)
	if err != nil {
		return nil, time.Time{}, err
	}
	least := max(h.Since, head.Sequence-mostHunted+1)
	looked := 0
	for at := head.Sequence; at >= least && at > 0; {
		rows, err := Log{r.Store}.RowsBefore(ctx, scope, at, int(min(scanLimit, at-least+1)))
		if err != nil || len(rows) == 0 {
			return found, from, err
		}
		for _, row := range rows {
			n, err := r.handedBy(ctx, scope, row, h, &found)
			if err != nil {
				return nil, time.Time{}, err
			}
			if looked += n; looked >= h.Most && row.Sequence > h.Since {
				return found, row.At, nil
			}
		}
		last := rows[len(rows)-1]
		at, from = last.Sequence-1, last.At
	}
	if least <= h.Since || least <= 1 {
		from = time.Time{}
	}
	return found, from, nil
}

// handedBy adds the receipts of one seal that hold the item, and answers how many
// there were of the kind.
func (r Receipts) handedBy(ctx context.Context, scope tenant.Scope, row Row, h Hunt, found *[]Handing) (int, error) {
	if row.Entry.Op != Seal {
		return 0, nil
	}
	receipts, err := r.sealedBy(ctx, scope, row, h.Kind)
	if err != nil {
		return 0, err
	}
	for _, receipt := range slices.Backward(receipts) {
		at := slices.IndexFunc(receipt.Items, func(i Item) bool { return i.ID == h.ItemID })
		if at >= 0 {
			*found = append(*found, Handing{ReceiptID: receipt.ID, At: receipt.At, Rank: at + 1, Score: receipt.Items[at].Score})
		}
	}
	return len(receipts), nil
}
