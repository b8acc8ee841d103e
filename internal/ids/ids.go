// Package ids makes and checks the identifiers of the service: UUIDv7 (RFC 9562)
// in lower-case text form, strictly increasing within a process. Those of facts have
// a form of their own.
package ids

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Source makes ids. It is safe for concurrent use.
type Source struct {
	now  func() time.Time
	rand io.Reader

	mu   sync.Mutex
	last uint64 // 48 bits of milliseconds and 12 bits of counter
}

// NewSource makes ids from a clock and a source of randomness. A nil reader
// means crypto/rand.
func NewSource(now func() time.Time, random io.Reader) *Source {
	if random == nil {
		random = rand.Reader
	}
	return &Source{now: now, rand: random}
}

// New answers the next id. Two ids of one Source sort in the order they were
// made, also within a millisecond and when the clock steps back: the 12 bits of
// rand_a count (RFC 9562, section 6.2, method 1).
func (s *Source) New() string {
	var b [16]byte
	if _, err := io.ReadFull(s.rand, b[8:]); err != nil {
		panic("ids: no randomness: " + err.Error())
	}
	tick := s.tick()
	ms := tick >> 12
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	b[6] = 0x70 | byte(tick>>8)&0x0f
	b[7] = byte(tick)
	b[8] = 0x80 | b[8]&0x3f
	return format(b)
}

func (s *Source) tick() uint64 {
	tick := uint64(s.now().UnixMilli()) << 12
	s.mu.Lock()
	defer s.mu.Unlock()
	if tick <= s.last {
		tick = s.last + 1
	}
	s.last = tick
	return tick
}

func format(b [16]byte) string {
	var out [36]byte
	hex.Encode(out[0:8], b[0:4])
	hex.Encode(out[9:13], b[4:6])
	hex.Encode(out[14:18], b[6:8])
	hex.Encode(out[19:23], b[8:10])
	hex.Encode(out[24:36], b[10:16])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

// Valid tells whether text is a UUID in the lower-case form that New makes. Any
// version passes, so that a look-up of a foreign id is simply not found.
func Valid(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}

// Time answers the instant inside a UUIDv7, to the millisecond.
func Time(id string) (time.Time, bool) {
	if !Valid(id) || id[14] != '7' {
		return time.Time{}, false
	}
	raw, err := hex.DecodeString(id[0:8] + id[9:13])
	if err != nil {
		return time.Time{}, false
	}
	var ms int64
	for _, b := range raw {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms).UTC(), true
}

// factForm writes 16 bytes as text in the same order: base32 with the digits before
// the letters (RFC 4648, section 7), in lower case.
var factForm = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// FactPrefix begins the ids of facts.
const FactPrefix = "m_"

// NewFact answers the next id of a fact (T.56): m_ and a UUIDv7 of New as 26 digits of
// base32, in the same order.
func (s *Source) NewFact() string {
	raw, err := hex.DecodeString(strings.ReplaceAll(s.New(), "-", ""))
	if err != nil {
		panic("ids: own form: " + err.Error()) // New writes hex
	}
	return FactPrefix + factForm.EncodeToString(raw)
}

// ValidFact tells whether text has the form that NewFact makes.
func ValidFact(text string) bool {
	digits, ok := strings.CutPrefix(text, FactPrefix)
	if !ok || len(digits) != 26 {
		return false
	}
	raw, err := factForm.DecodeString(digits)
	return err == nil && factForm.EncodeToString(raw) == digits // the last digit holds three bits
}

// Derived answers the one id that belongs to an instant, a number and some parts: a
// UUIDv7 of that millisecond whose counter is the number's low 12 bits and whose other
// bits are a hash of all of them. Ids of one instant sort by the number as long as it
// does not pass a multiple of 4,096 within it.
func Derived(at time.Time, n int64, parts ...string) string {
	h := sha256.New()
	h.Write(fmt.Appendf(nil, "%d %d", at.UnixMilli(), n))
	for _, p := range parts {
		h.Write(fmt.Appendf(nil, " %d:%s", len(p), p))
	}
	var b [16]byte
	copy(b[8:], h.Sum(nil))
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	b[6] = 0x70 | byte(n>>8)&0x0f
	b[7] = byte(n)
	b[8] = 0x80 | b[8]&0x3f
	return format(b)
}
