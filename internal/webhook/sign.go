package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// The headers of a delivery (T.44).
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp"
	HeaderSignature = "Webhook-Signature"
)

// message is the body of a delivery (T.45): ids only.
type message struct {
	ID          string    `json:"id"`
	Type        Event     `json:"type"`
	WorkspaceID string    `json:"workspaceId"`
	Sequence    int64     `json:"sequence"`
	At          time.Time `json:"at"`
	Data        data      `json:"data"`
}

type data struct {
	ID          string `json:"id"` // of the item
	Version     int64  `json:"version"`
	OperationID string `json:"operationId"`
}

// body is what a delivery posts: the same bytes with every try.
func (d Delivery) body(workspaceID string) ([]byte, error) {
	raw, err := json.Marshal(message{
		ID: d.ID, Type: d.Event, WorkspaceID: workspaceID, Sequence: d.Sequence, At: d.At.UTC(),
		Data: data{ID: d.ItemID, Version: d.Version, OperationID: d.Operation},
	})
	if err != nil {
		return nil, fmt.Errorf("webhook: body: %w", err)
	}
	return raw, nil
}

// Sign answers the signature of a body: hex HMAC-SHA256 of "id.timestamp.body" under
// the UTF-8 of the secret as it was shown (T.49).
func Sign(secret, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// header signs a try; its timestamp is in seconds since 1970.
func header(secret, id string, now time.Time, body []byte) http.Header {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	return http.Header{
		"Content-Type":  {"application/json"},
		"User-Agent":    {"Holdfast"},
		HeaderID:        {id},
		HeaderTimestamp: {timestamp},
		HeaderSignature: {"v1=" + Sign(secret, id, timestamp, body)},
	}
}
