// Package tablejournal keeps read receipts that wait for their seal as rows of
// the table: the journal of a deployment whose processes may be frozen right
// after their answer, so that what is acknowledged as receipted must be durable
// before it (T.19).
//
// Append puts the receipt's row, which is the sealed row without its operation
// and with a place in the due index. The sealer finds such rows there, reads them
// again with strong consistency (the index may lag behind) and replaces them in
// the commit of the seal row, on the condition that they still wait: two sealers
// at once seal a receipt once. Nothing is kept beside the table, so Find and
// Sealed have nothing to do.
//
// # Cost
//
// Write request units (WRU) and read request units (RRU) of DynamoDB on demand for
// a thousand retrieves, each leaving a receipt of s KB rounded up (its answer of
// 20 entries makes about 2.4 KB: s = 3; of 5 entries s = 1), n receipts of a
// workspace being sealed together (1 to 80):
//
//	put before the answer            1000 · (s + 1)     the row, and its entry in the due index
//	replacement in the seal's commit 1000 · (2·s + 1)   twice, being in a transaction; the entry goes
//	the seal's own rows              1000 · own(n) / n  own(n) = 2 · (2 + ⌈(750 + 39·n) / 1024⌉): log row, head, operation
//	reads of the sealer              1000 · 2 · ⌈s/4⌉   RRU: once to find, once to plan
//
// WRU = 1000 · (3·s + 2 + own(n)/n): 11,150 with s = 3 and n = 80, 17,000 with
// s = 3 and n = 1. RRU = 2,000. The price is w · WRU + r · RRU, where w and r are
// the Region's prices of one unit: at 0.625 and 0.125 US dollars a million it is
// 0.0072 dollars a thousand retrieves with n = 80, 0.0109 with n = 1.
//
// It may import ledger, store, tenant and clock.
package tablejournal

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Options are what the journal stands on.
type Options struct {
	Store store.Store
	Clock clock.Clock
	Log   *slog.Logger
}

// Journal is a ledger.Journal over the table.
type Journal struct{ o Options }

var _ ledger.Journal = (*Journal)(nil)

// New makes a journal.
func New(o Options) *Journal { return &Journal{o} }

// label names the put in a failed condition.
const label = "receipt"

// Append puts the receipt's row. A row that is there is this very receipt: an
// earlier put whose answer was lost, perhaps sealed since.
func (j *Journal) Append(ctx context.Context, scope tenant.Scope, receipt ledger.Receipt) error {
	row, err := ledger.WaitingRow(scope, receipt)
	if err != nil {
		return err
	}
	err = j.o.Store.Commit(ctx, store.Tx{Actions: []store.Action{store.PutItem(label, row, store.IfAbsent())}})
	if store.Failed(err, label) {
		return nil
	}
	return err
}

// Find answers nothing: receipts that wait are rows of the table.
func (j *Journal) Find(context.Context, tenant.Scope, string) (ledger.Receipt, bool, error) {
	return ledger.Receipt{}, false, nil
}

// Sealed has nothing to let go: the commit that seals replaces the rows.
func (j *Journal) Sealed(context.Context, tenant.Scope, []string) error { return nil }

// pass is how many waiting receipts of a shard of the due index one Unsealed
// looks for.
const pass = 500

// Unsealed answers what the due index leads to. A shard that cannot be read now
// holds up no other; the error is answered when there is nothing else to answer.
func (j *Journal) Unsealed(ctx context.Context, skip map[tenant.Scope]bool) ([]ledger.Batch, error) {
	w := walk{Journal: j, until: j.o.Clock.Now().Add(ledger.SealHorizon), skip: skip}
	var failures []error
	for shard := range store.Shards {
		failures = append(failures, w.shard(ctx, shard))
	}
	err := errors.Join(failures...)
	if len(w.found) == 0 {
		return nil, err
	}
	if err != nil {
		j.o.Log.LogAttrs(ctx, slog.LevelWarn, "a part of the due index cannot be read")
	}
	return w.batches(), nil
}

// walk is one pass over the due index.
type walk struct {
	*Journal
	until time.Time
	skip  map[tenant.Scope]bool
	found []waiting
}

type waiting struct {
	scope   tenant.Scope
	receipt ledger.Receipt
}

// shard walks one shard, oldest first.
func (w *walk) shard(ctx context.Context, n int) error {
	enough := len(w.found) + pass
	q := store.DueQuery{Shard: n, Until: w.until, Limit: pass}
	for {
		page, err := w.o.Store.Due(ctx, q)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(w.wanted(page.Items), store.MaxGetMany) {
			if err := w.read(ctx, some); err != nil {
				return err
			}
		}
		if page.Cursor == "" || len(w.found) >= enough {
			return nil
		}
		q.Cursor = page.Cursor
	}
}

// wanted are the keys of receipts among what is due: jobs and marks are there too.
func (w *walk) wanted(items []store.Item) []store.Key {
	var out []store.Key
	for _, item := range items {
		if scope, _, ok := keys.ReceiptOf(item.Key); ok && !w.skip[scope] {
			out = append(out, item.Key)
		}
	}
	return out
}

// read notes the receipts of rows that wait still. A row that cannot be read is
// told and passed over: it must not hold up the others.
func (w *walk) read(ctx context.Context, some []store.Key) error {
	items, err := w.o.Store.GetMany(ctx, some)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item == nil || !ledger.Waits(*item) {
			continue
		}
		scope, receipt, err := ledger.ReadWaiting(*item)
		if err != nil {
			w.o.Log.LogAttrs(ctx, slog.LevelError, "a receipt's row cannot be read", slog.String("receipt", item.Key.SK))
			continue
		}
		w.found = append(w.found, waiting{scope, receipt})
	}
	return nil
}

// batches brings the shards together in the order of time, which is that of ids.
func (w *walk) batches() []ledger.Batch {
	slices.SortFunc(w.found, func(a, b waiting) int { return strings.Compare(a.receipt.ID, b.receipt.ID) })
	var out ledger.Gather
	for _, one := range w.found {
		out.Add(one.scope, one.receipt)
	}
	return out.Batches()
}
