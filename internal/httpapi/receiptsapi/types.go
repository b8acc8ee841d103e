// Package receiptsapi holds the endpoints of receipts: read one, list them,
// verify the chain (T.41).
package receiptsapi

import (
	"encoding/hex"

	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
)

// Receipt is a receipt on the wire.
type Receipt struct {
	ReceiptID    string        `json:"receiptId"`
	Kind         ledger.Kind   `json:"kind"`
	Family       string        `json:"family"`
	At           httpapi.Time  `json:"at"`
	Actor        string        `json:"actor" doc:"The key's id, or service"`
	SourceID     *string       `json:"sourceId" nullable:"true"`
	Items        []ledger.Item `json:"items"`
	RequestHash  string        `json:"requestHash"`
	Sequence     *int64        `json:"sequence" nullable:"true" doc:"Log row that holds or seals it; null until sealed"`
	PreviousHash *string       `json:"previousHash" nullable:"true"`
	Hash         *string       `json:"hash" nullable:"true"`
}

// Of shows a receipt.
func Of(r ledger.Receipt) Receipt {
	out := Receipt{
		ReceiptID: r.ID, Kind: r.Kind, Family: r.Family, At: httpapi.At(r.At), Actor: r.Actor.KeyID,
		Items: r.Items, RequestHash: r.RequestHash,
	}
	if out.Items == nil {
		out.Items = []ledger.Item{}
	}
	if r.Actor.SourceID != "" {
		out.SourceID = &r.Actor.SourceID
	}
	if r.Sequence > 0 {
		previous, hash := hex.EncodeToString(r.Previous), hex.EncodeToString(r.Hash)
		out.Sequence, out.PreviousHash, out.Hash = &r.Sequence, &previous, &hash
	}
	return out
}
