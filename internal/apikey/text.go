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
	textLength   = len(Prefix) + idLength + 1 + secretLength
)

// Format joins a key's id (a UUID) and secret to the text that its holder sends.
func Format(keyID, secret string) string {
	return Prefix + strings.ReplaceAll(keyID, "-", "") + "_" + secret
}

// Parse takes a key's text apart. It accepts exactly what Format makes.
func Parse(text string) (keyID, secret string, ok bool) {
	if len(text) != textLength || !strings.HasPrefix(text, Prefix) {
		return "", "", false
	}
	rest := text[len(Prefix):]
	id, secret := rest[:idLength], rest[idLength+1:]
	if rest[idLength] != '_' || !alphanumeric(secret) {
		return "", "", false
	}
	keyID = strings.Join([]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]}, "-")
	return keyID, secret, ids.Valid(keyID)
}

func alphanumeric(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// newSecret draws 256 bits and writes them in base 62, padded to 43 digits.
func newSecret(random io.Reader) (string, error) {
	var raw [secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("apikey: no randomness: %w", err)
	}
	digits := new(big.Int).SetBytes(raw[:]).Text(62)
	return strings.Repeat("0", secretLength-len(digits)) + digits, nil
}

// digest is what is stored of a secret. A plain hash is enough: the secret has
// 256 bits of its own, so there is nothing to guess.
func digest(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }
