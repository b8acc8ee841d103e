package ledger

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Operation is the row a write leaves under its id: an ingestion receipt (S0.55)
// and what a replay and a receipt look up.
type Operation struct {
	ID       string
	Sequence int64 // of its first log row; 0: it wrote none
	Rows     int   // number of its log rows
	At       time.Time
	Key      string // hash of its idempotency key; empty: none
	Result   []byte // ids and flags as JSON
}

// Last is the sequence of the operation's last log row; 0 when it wrote none.
func (o Operation) Last() int64 {
	if o.Rows == 0 {
		return 0
	}
	return o.Sequence + int64(o.Rows) - 1
}

const (
	opSeq    = "seq"
	opRows   = "n"
	opAt     = "at"
	opKey    = "idem"
	opResult = "d"
)

// Put is the action that writes the operation's row.
func (o Operation) Put(label string, scope tenant.Scope) store.Action {
	return store.PutItem(label, store.Item{
		Key: keys.Operation(scope, o.ID),
		Attrs: store.Attrs{
			opSeq: store.N(o.Sequence), opRows: store.N(int64(o.Rows)), opAt: store.N(unixNano(o.At)),
			opKey: store.S(o.Key), opResult: store.B(o.Result),
		},
	}, store.IfAbsent())
}

// ReadOperation answers an operation by its id.
func ReadOperation(ctx context.Context, s store.Store, scope tenant.Scope, id string) (Operation, bool, error) {
	key := keys.Operation(scope, id)
	if key.Validate() != nil {
		return Operation{}, false, nil
	}
	item, found, err := s.Get(ctx, key)
	if err != nil || !found {
		return Operation{}, false, err
	}
	a := item.Attrs
	return Operation{
		ID: id, Sequence: a.Int(opSeq), Rows: int(a.Int(opRows)), At: nanos(a.Int(opAt)),
		Key: a.Text(opKey), Result: a.Bytes(opResult),
	}, true, nil
}
