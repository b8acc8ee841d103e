package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Commit is the salted commitment of a canonical content: HMAC-SHA256 with the
// item's salt as key. Once the salt is erased it says nothing about the content.
func Commit(salt, canonical []byte) []byte {
	mac := hmac.New(sha256.New, salt)
	mac.Write(canonical)
	return mac.Sum(nil)
}

// SaltSize is the length of an item's salt in bytes: as strong as the hash.
const SaltSize = 32

// NewSalt draws an item's salt.
func NewSalt(random io.Reader) ([]byte, error) {
	salt := make([]byte, SaltSize)
	if _, err := io.ReadFull(random, salt); err != nil {
		return nil, fmt.Errorf("ledger: no randomness: %w", err)
	}
	return salt, nil
}

// wireRow is the canonical form of a row: JSON with exactly these members in this
// order. The scope is part of it, so that no row verifies in another workspace.
type wireRow struct {
	Tenant     string   `json:"tenant"`
	Workspace  string   `json:"workspace"`
	Sequence   int64    `json:"sequence"`
	Operation  string   `json:"operation"`
	Kind       Kind     `json:"kind"`
	Op         Op       `json:"op"`
	Family     string   `json:"family"`
	Item       string   `json:"item"`
	Version    int64    `json:"version"`
	Commitment []byte   `json:"commitment"`
	Recall     bool     `json:"recall"`
	At         string   `json:"at"`
	KeyID      string   `json:"keyId"`
	ActorKind  string   `json:"actorKind"`
	Source     string   `json:"source"`
	Sealed     []string `json:"sealed"`
}

func (r Row) wire(scope tenant.Scope) wireRow {
	return wireRow{
		Tenant: scope.TenantID(), Workspace: scope.WorkspaceID(), Sequence: r.Sequence,
		Operation: r.OperationID, Kind: r.Kind, Op: r.Entry.Op, Family: r.Entry.Family,
		Item: r.Entry.ItemID, Version: r.Entry.Version, Commitment: r.Entry.Commitment,
		Recall: r.Entry.Recall, At: r.At.UTC().Format(time.RFC3339Nano),
		KeyID: r.Actor.KeyID, ActorKind: r.Actor.Kind, Source: r.Actor.SourceID, Sealed: r.Entry.Sealed,
	}
}

func (w wireRow) row() (Row, error) {
	at, err := time.Parse(time.RFC3339Nano, w.At)
	if err != nil {
		return Row{}, fmt.Errorf("ledger: row time: %w", err)
	}
	return Row{
		Sequence: w.Sequence, OperationID: w.Operation, Kind: w.Kind, At: at.UTC(),
		Actor: Actor{KeyID: w.KeyID, Kind: w.ActorKind, SourceID: w.Source},
		Entry: Entry{Op: w.Op, Family: w.Family, ItemID: w.Item, Version: w.Version,
			Commitment: w.Commitment, Recall: w.Recall, Sealed: w.Sealed},
	}, nil
}

// chain answers SHA-256 of the previous hash followed by the canonical form.
func chain(previous, canonical []byte) []byte {
	h := sha256.New()
	h.Write(previous)
	h.Write(canonical)
	return h.Sum(nil)
}

const (
	attrDoc      = "d"
	attrPrevious = "p"
	attrHash     = "h"
)

// Item links a row to the hash before it and answers its stored form and hash.
func (r Row) Item(scope tenant.Scope, previous []byte) (store.Item, []byte, error) {
	canonical, err := json.Marshal(r.wire(scope))
	if err != nil {
		return store.Item{}, nil, fmt.Errorf("ledger: row: %w", err)
	}
	hash := chain(previous, canonical)
	return store.Item{
		Key: keys.Log(scope, r.Sequence),
		Attrs: store.Attrs{
			attrDoc: store.B(canonical), attrPrevious: store.B(previous), attrHash: store.B(hash),
		},
	}, hash, nil
}

// RowFromItem reads a stored row.
func RowFromItem(item store.Item) (Row, error) {
	var w wireRow
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &w); err != nil {
		return Row{}, fmt.Errorf("ledger: stored row: %w", err)
	}
	row, err := w.row()
	row.Previous = item.Attrs.Bytes(attrPrevious)
	row.Hash = item.Attrs.Bytes(attrHash)
	return row, err
}

// intact tells whether a stored row's hash fits its bytes.
func intact(item store.Item, previous []byte) bool {
	return hmac.Equal(item.Attrs.Bytes(attrPrevious), previous) &&
		hmac.Equal(item.Attrs.Bytes(attrHash), chain(previous, item.Attrs.Bytes(attrDoc)))
}
