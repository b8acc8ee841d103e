package ledger

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Head is the end of a log and the counters that every write touches. The zero
// Head is that of a log without rows.
type Head struct {
	Sequence int64  // of the newest row
	Recall   int64  // of the newest row that changes what recall can return
	Hash     []byte // of the newest row
	Items    int64  // stored items
	Bytes    int64  // stored bytes
	At       time.Time
	RecallAt time.Time // time of the row Recall names
	version  int64     // 0: no row yet
}

const (
	headSeq      = "seq"
	headRecall   = "recall"
	headItems    = "items"
	headBytes    = "bytes"
	headAt       = "at"
	headRecallAt = "rat"
)

// Genesis is the hash before the first row.
func Genesis() []byte { return make([]byte, 32) }

// ReadHead answers the head of a scope's log.
func ReadHead(ctx context.Context, s store.Store, scope tenant.Scope) (Head, error) {
	item, found, err := s.Get(ctx, keys.Head(scope))
	if err != nil {
		return Head{}, err
	}
	if !found {
		return Head{Hash: Genesis()}, nil
	}
	return HeadFromItem(item), nil
}

// HeadFromItem reads a head's row.
func HeadFromItem(item store.Item) Head {
	a := item.Attrs
	return Head{
		Sequence: a.Int(headSeq), Recall: a.Int(headRecall), Hash: a.Bytes(attrHash),
		Items: a.Int(headItems), Bytes: a.Int(headBytes),
		At: nanos(a.Int(headAt)), RecallAt: nanos(a.Int(headRecallAt)), version: 1,
	}
}

func nanos(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func unixNano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Moved is the action that replaces head h by next, if h is still the head.
func (h Head) Moved(label string, scope tenant.Scope, next Head) store.Action {
	cond := store.IfAbsent()
	if h.version > 0 {
		cond = store.IfEqual(headSeq, store.N(h.Sequence))
	}
	return store.PutItem(label, store.Item{
		Key: keys.Head(scope),
		Attrs: store.Attrs{
			headSeq: store.N(next.Sequence), headRecall: store.N(next.Recall), attrHash: store.B(next.Hash),
			headItems: store.N(next.Items), headBytes: store.N(next.Bytes),
			headAt: store.N(unixNano(next.At)), headRecallAt: store.N(unixNano(next.RecallAt)),
		},
	}, cond)
}

// Append makes the next row of a log and moves the head past it.
func (h *Head) Append(scope tenant.Scope, row Row) (store.Action, error) {
	row.Sequence = h.Sequence + 1
	if row.At.Before(h.At) {
		row.At = h.At // the log's time never runs backwards
	}
	item, hash, err := row.Item(scope, h.Hash)
	if err != nil {
		return store.Action{}, err
	}
	h.Sequence, h.Hash, h.At = row.Sequence, hash, row.At
	if row.Entry.Recall {
		h.Recall, h.RecallAt = row.Sequence, row.At
	}
	h.version = 1
	return store.PutItem("", item, store.IfAbsent()), nil
}
