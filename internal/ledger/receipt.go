package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Receipt is an immutable record of a read or a write (T.41): who got which
// items, in which versions, with which scores. It never holds text; a read's
// request is kept as a keyed hash.
type Receipt struct {
	ID          string
	Kind        Kind
	Family      string
	At          time.Time
	Actor       Actor
	Items       []Item
	RequestHash string
	Sequence    int64  // 0: not sealed yet
	Previous    []byte // of the row that holds or seals it; nil: not sealed yet
	Hash        []byte
}

// wireReceipt is the canonical form of a read receipt; its SHA-256 is the leaf
// that a seal row digests.
type wireReceipt struct {
	Tenant      string    `json:"tenant"`
	Workspace   string    `json:"workspace"`
	ID          string    `json:"id"`
	Kind        Kind      `json:"kind"`
	Family      string    `json:"family"`
	At          time.Time `json:"at"`
	KeyID       string    `json:"keyId"`
	ActorKind   string    `json:"actorKind"`
	Source      string    `json:"source"`
	Items       []Item    `json:"items"`
	RequestHash string    `json:"requestHash"`
}

// Encode is a read receipt's canonical form.
func (r Receipt) Encode(scope tenant.Scope) ([]byte, error) {
	return json.Marshal(wireReceipt{
		Tenant: scope.TenantID(), Workspace: scope.WorkspaceID(), ID: r.ID, Kind: r.Kind, Family: r.Family,
		At: r.At.UTC(), KeyID: r.Actor.KeyID, ActorKind: r.Actor.Kind, Source: r.Actor.SourceID,
		Items: r.Items, RequestHash: r.RequestHash,
	})
}

// DecodeReceipt reads a canonical form back, with its scope.
func DecodeReceipt(raw []byte) (tenant.Scope, Receipt, error) {
	var w wireReceipt
	if err := json.Unmarshal(raw, &w); err != nil {
		return tenant.Scope{}, Receipt{}, fmt.Errorf("ledger: receipt: %w", err)
	}
	return tenant.Grant(w.Tenant, w.Workspace), Receipt{
		ID: w.ID, Kind: w.Kind, Family: w.Family, At: w.At,
		Actor: Actor{KeyID: w.KeyID, Kind: w.ActorKind, SourceID: w.Source},
		Items: w.Items, RequestHash: w.RequestHash,
	}, nil
}

// digest is what a seal row commits to: SHA-256 over the leaves in order.
func digest(canonical [][]byte) []byte {
	h := sha256.New()
	for _, c := range canonical {
		leaf := sha256.Sum256(c)
		h.Write(leaf[:])
	}
	return h.Sum(nil)
}

const attrSealOperation = "op"

// receiptKey is where a read receipt lies: its hour is in its id.
func receiptKey(scope tenant.Scope, id string) (store.Key, bool) {
	at, ok := ids.Time(id)
	return keys.Receipt(scope, at, id), ok
}

// Receipts reads receipts of all kinds.
type Receipts struct {
	Store   store.Store
	Journal Journal // receipts that are not sealed yet
}

// Get answers one receipt: a read receipt, sealed or not, or a write's. The
// journal is asked first, since what leaves it is in the table by then, but the
// table's row counts: a journal may hold what was sealed before a restart.
// Where a row is damaged the error is Unprocessable: no further try helps.
func (r Receipts) Get(ctx context.Context, scope tenant.Scope, id string) (Receipt, bool, error) {
	receipt, found, err := r.get(ctx, scope, id)
	return receipt, found, readable(err)
}

// readable makes a damaged row an error that tells the caller where to look.
func readable(err error) error {
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	return errs.Wrap(errs.Unprocessable, "DAMAGED",
		"A stored row of this answer is damaged; GET /v1/receipts/verify tells where the chain breaks.", err)
}

func (r Receipts) get(ctx context.Context, scope tenant.Scope, id string) (Receipt, bool, error) {
	kept, beside, err := r.Journal.Find(ctx, scope, id)
	if err != nil {
		return Receipt{}, false, err
	}
	if key, ok := receiptKey(scope, id); ok {
		item, found, err := r.Store.Get(ctx, key)
		if err != nil {
			return Receipt{}, false, err
		}
		if found {
			return r.stored(ctx, scope, item)
		}
	}
	if beside {
		return kept, true, nil
	}
	return r.write(ctx, scope, id)
}

// stored answers the receipt of a row; one that waits for its seal has no place in
// the chain yet.
func (r Receipts) stored(ctx context.Context, scope tenant.Scope, item store.Item) (Receipt, bool, error) {
	_, receipt, err := DecodeReceipt(item.Attrs.Bytes(attrDoc))
	if err != nil {
		return Receipt{}, false, err
	}
	if Waits(item) {
		return receipt, true, nil
	}
	op, found, err := ReadOperation(ctx, r.Store, scope, item.Attrs.Text(attrSealOperation))
	if err != nil || !found {
		return receipt, true, err
	}
	row, found, err := Log{r.Store}.Row(ctx, scope, op.Sequence)
	if err != nil || !found {
		return receipt, true, err
	}
	return receipt.in(row), true, nil
}

func (r Receipt) in(row Row) Receipt {
	r.Sequence, r.Previous, r.Hash = row.Sequence, row.Previous, row.Hash
	return r
}

func (r Receipts) write(ctx context.Context, scope tenant.Scope, id string) (Receipt, bool, error) {
	op, found, err := ReadOperation(ctx, r.Store, scope, id)
	if err != nil || !found || op.Rows == 0 {
		return Receipt{}, false, err
	}
	rows, err := Log{r.Store}.Rows(ctx, scope, op.Sequence, op.Rows)
	if err != nil || len(rows) == 0 || rows[0].Entry.Op == Seal {
		return Receipt{}, false, err
	}
	return ofRows(rows), true, nil
}

// ofRows is a write's receipt: its log rows are its items.
func ofRows(rows []Row) Receipt {
	first := rows[0]
	receipt := Receipt{
		ID: first.OperationID, Kind: first.Kind, Family: first.Entry.Family, At: first.At, Actor: first.Actor,
		RequestHash: fmt.Sprintf("%x", first.Entry.Commitment),
	}
	for _, row := range rows {
		receipt.Items = append(receipt.Items, Item{ID: row.Entry.ItemID, Version: row.Entry.Version})
	}
	return receipt.in(first)
}
