package httpapi

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"holdfast/internal/errs"
	"holdfast/internal/tenant"
)

// Cursors seals the positions of lists, so that a caller can neither make nor
// change one, nor use it with another route, workspace or filter (T.12).
type Cursors struct{ key []byte }

const (
	cursorForm = 1  // first byte of a token
	cursorMAC  = 16 // bytes of the tag: HMAC-SHA256 cut to 128 bits
	maxCursor  = 4096
)

var cursorText = base64.RawURLEncoding.Strict()

// NewCursors derives the signing key from a secret (HKDF, RFC 5869).
func NewCursors(secret []byte) (*Cursors, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "holdfast list cursor 1", sha256.Size)
	if err != nil {
		return nil, err
	}
	return &Cursors{key: key}, nil
}

// Seal makes the cursor of a position; an empty position is the end of the list
// and gives no cursor. Filters is any text that tells the list's filters apart.
func (c *Cursors) Seal(routeID string, scope tenant.Scope, filters, position string) string {
	if position == "" {
		return ""
	}
	token := append([]byte{cursorForm}, c.tag(routeID, scope, filters, position)...)
	return cursorText.EncodeToString(append(token, position...))
}

// Open answers the position of a cursor that Seal made for the same list; the
// empty cursor is the start. Anything else is one Invalid error.
func (c *Cursors) Open(routeID string, scope tenant.Scope, filters, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	if len(cursor) > maxCursor {
		return "", badCursor()
	}
	token, err := cursorText.DecodeString(cursor)
	if err != nil || len(token) <= 1+cursorMAC || token[0] != cursorForm || cursorText.EncodeToString(token) != cursor {
		return "", badCursor()
	}
	position := string(token[1+cursorMAC:])
	if !hmac.Equal(token[1:1+cursorMAC], c.tag(routeID, scope, filters, position)) {
		return "", badCursor()
	}
	return position, nil
}

func badCursor() error {
	return errs.Validation(errs.Field{Pointer: "cursor", Rule: "must be a nextCursor of this very list"})
}

// tag signs all parts with their lengths, so that no two lists share one.
func (c *Cursors) tag(routeID string, scope tenant.Scope, filters, position string) []byte {
	mac := hmac.New(sha256.New, c.key)
	var text []byte
	for _, part := range []string{routeID, scope.TenantID(), scope.WorkspaceID(), filters, position} {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	mac.Write(text)
	return mac.Sum(nil)[:cursorMAC]
}
