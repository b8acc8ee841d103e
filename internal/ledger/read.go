package ledger

import (
	"context"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Log reads a scope's log.
type Log struct {
	Store store.Store
}

// items answers up to limit stored rows from a sequence on, in order, ending at
// the head. Every bucket but the last is full, so a short bucket is the end.
func (l Log) items(ctx context.Context, scope tenant.Scope, from int64, limit int) ([]store.Item, error) {
	var out []store.Item
	from = max(from, 1)
	for len(out) < limit {
		got, err := l.bucket(ctx, scope, from, limit-len(out))
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
		next := (from/keys.LogBucket + 1) * keys.LogBucket
		if len(got) == 0 || from+int64(len(got)) < next && len(out) < limit {
			return out, nil
		}
		from = next
	}
	return out, nil
}

func (l Log) bucket(ctx context.Context, scope tenant.Scope, from int64, limit int) ([]store.Item, error) {
	q := store.Query{PK: keys.LogPK(scope, from/keys.LogBucket), From: keys.Number(from), Limit: limit}
	var out []store.Item
	for {
		page, err := l.Store.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		out = append(out, page.Items...)
		if page.Cursor == "" || len(out) >= limit {
			return out, nil
		}
		q.Cursor, q.Limit = page.Cursor, limit-len(out)
	}
}

// Rows answers up to limit rows from a sequence on (inclusive), in order. What it
// answers is gap-free as long as the log is: the feed (R0.55) and every consumer
// of the log read it.
func (l Log) Rows(ctx context.Context, scope tenant.Scope, from int64, limit int) ([]Row, error) {
	items, err := l.items(ctx, scope, from, limit)
	if err != nil {
		return nil, err
	}
	return decode(items)
}

// RowsBefore answers up to limit rows at or before a sequence, newest first.
func (l Log) RowsBefore(ctx context.Context, scope tenant.Scope, at int64, limit int) ([]Row, error) {
	var out []Row
	for at > 0 && len(out) < limit {
		bucket := at / keys.LogBucket
		page, err := l.Store.Query(ctx, store.Query{
			PK: keys.LogPK(scope, bucket), To: keys.Number(at), Desc: true, Limit: limit - len(out),
		})
		if err != nil {
			return nil, err
		}
		rows, err := decode(page.Items)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
		at = bucket*keys.LogBucket - 1
		if n := len(rows); n > 0 && page.Cursor != "" {
			at = rows[n-1].Sequence - 1
		}
	}
	return out, nil
}

func decode(items []store.Item) ([]Row, error) {
	rows := make([]Row, 0, len(items))
	for _, item := range items {
		row, err := RowFromItem(item)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Row answers one row.
func (l Log) Row(ctx context.Context, scope tenant.Scope, seq int64) (Row, bool, error) {
	item, found, err := l.Store.Get(ctx, keys.Log(scope, seq))
	if err != nil || !found {
		return Row{}, false, err
	}
	row, err := RowFromItem(item)
	return row, err == nil, err
}
