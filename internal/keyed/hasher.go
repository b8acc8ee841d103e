package keyed

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Hasher hashes with a workspace's key. It is safe for concurrent use.
type Hasher struct{ macs *sync.Pool }

// New makes a Hasher of a key.
func New(key []byte) Hasher {
	return Hasher{&sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// Size is the length of a hash in bytes: HMAC-SHA256 cut to 128 bits.
const Size = 16

// MAC is the hash of a list of texts in hex. Hashes of two domains have nothing to do
// with each other.
func (h Hasher) MAC(domain string, parts ...string) string {
	m := h.macs.Get().(hash.Hash)
	m.Reset()
	_, _ = io.WriteString(m, Join(append([]string{domain}, parts...)...)) // never fails
	var sum [sha256.Size]byte
	out := hex.EncodeToString(m.Sum(sum[:0])[:Size])
	h.macs.Put(m)
	return out
}

// Join makes one text of several, each after its length, so that no two lists give
// the same.
func Join(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}
