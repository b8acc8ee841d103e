package apikey

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/big"
	"strings"

	"holdfast/internal/ids"
)

// Prefix begins every key, so that secret scanners know them (T.2).
const Prefix = "holdfast_"

const (
	idLength     = 32 // a UUID's hexadecimal digits
	secretBytes  = 32 // 256 bits
	secretLength = 43 // the least number of base-62 digits that hold them
)

// Form is a kind of credential by what its text begins with.
type Form string

// Format joins an id (a UUID) and a secret to the text that the holder sends.
func (f Form) Format(id, secret string) string {
	return string(f) + strings.ReplaceAll(id, "-", "") + "_" + secret
}

// Parse takes a credential's text apart. It accepts exactly what Format makes.
func (f Form) Parse(text string) (id, secret string, ok bool) {
	rest, mine := strings.CutPrefix(text, string(f))
	if !mine || len(rest) != idLength+1+secretLength {
		return "", "", false
	}
	hex, secret := rest[:idLength], rest[idLength+1:]
	if rest[idLength] != '_' || !alphanumeric(secret) {
		return "", "", false
	}
	id = strings.Join([]string{hex[:8], hex[8:12], hex[12:16], hex[16:20], hex[20:]}, "-")
	return id, secret, ids.Valid(id)
}

// Format is that of a key.
func Format(keyID, secret string) string { return Form(Prefix).Format(keyID, secret) }

// Parse takes a key's text apart.
func Parse(text string) (keyID, secret string, ok bool) { return Form(Prefix).Parse(text) }

func alphanumeric(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// NewSecret draws 256 bits and writes them in base 62, padded to 43 digits.
func NewSecret(random io.Reader) (string, error) {
	var raw [secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("apikey: no randomness: %w", err)
	}
	digits := new(big.Int).SetBytes(raw[:]).Text(62)
	return strings.Repeat("0", secretLength-len(digits)) + digits, nil
}

// Digest is what is stored of a secret. A plain hash is enough: the secret has
// 256 bits of its own, so there is nothing to guess.
func Digest(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }
