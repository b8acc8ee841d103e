// Package idem holds the semantics of idempotency records (T.15, T.47): a record
// is written in the commit of the effect, so there is no state in which one
// exists without the other and none in which the first call «still runs».
//
// A record keeps a hash of the request and a reference to the result, never a
// response body: a body would be one more copy to erase.
package idem

import (
	"crypto/sha256"
	"sync"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Kept is how long a key is remembered.
const Kept = 24 * time.Hour

// Key is an idempotency key in its scope: key id, method, path and workspace.
type Key struct {
	Hash    string // of key id, method, path and the key's text
	Request string // hash of the request's JSON value
}

// NewKey makes the key of a call. Index is -1, or the item's index in a batch.
func NewKey(keyID, method, path, text string, request []byte, index int) Key {
	at := ""
	if index >= 0 {
		at = keys.Number(int64(index))
	}
	return Key{Hash: keys.Hash(keyID, method, path, text, at), Request: RequestHash(request)}
}

// Part is the key of one part of a call that acts on several things each on its
// own, such as an item of a batch: the call's key with the part's index (T.15).
func (k Key) Part(index int, request []byte) Key {
	return Key{Hash: keys.Hash(k.Hash, keys.Number(int64(index))), Request: RequestHash(request)}
}

// RequestHash hashes a JSON value so that member order, white space and the
// spelling of texts and numbers do not count ("same body" compares the JSON values,
// T.47). What is no JSON is hashed as it is.
func RequestHash(request []byte) string {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	out, ok := canonical((*buffer)[:0], request)
	if !ok {
		return keys.Hash(string(request))
	}
	if cap(out) <= maxPooled {
		*buffer = out
	}
	sum := sha256.Sum256(out)
	return keys.Hash(string(sum[:]))
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled is the largest buffer that is kept for another request.
const maxPooled = 64 << 10

// Record is what a key remembers.
type Record struct {
	Request     string    // hash of the first body
	OperationID string    // the effect
	Sequence    int64     // the effect's last log row
	Result      []byte    // reference to the answer: ids and flags only; nil once erased
	Erased      bool      // the referenced item was erased (R0.79): the key stays, the reference is gone
	Expires     time.Time // when the key may be used anew
}

// AttrOperation is the attribute that identifies a record: what a conditional
// replacement of an expired one names.
const AttrOperation = "op"

const (
	attrRequest  = "req"
	attrSequence = "seq"
	attrResult   = "res"
	attrErased   = "erased"
	attrExpires  = "exp"
)

// Item is the record's row. Its TTL only tidies; Live compares the time.
func (r Record) Item(scope tenant.Scope, key Key) store.Item {
	return store.Item{
		Key: keys.Idempotency(scope, key.Hash),
		Attrs: store.Attrs{
			attrRequest:   store.S(r.Request),
			AttrOperation: store.S(r.OperationID),
			attrSequence:  store.N(r.Sequence),
			attrResult:    store.B(r.Result),
			attrErased:    store.T(r.Erased),
			attrExpires:   store.N(r.Expires.UnixMilli()),
		},
		Expires: r.Expires.Add(time.Hour),
	}
}

// FromItem reads a record's row.
func FromItem(item store.Item) Record {
	return Record{
		Request:     item.Attrs.Text(attrRequest),
		OperationID: item.Attrs.Text(AttrOperation),
		Sequence:    item.Attrs.Int(attrSequence),
		Result:      item.Attrs.Bytes(attrResult),
		Erased:      item.Attrs.Bool(attrErased),
		Expires:     time.UnixMilli(item.Attrs.Int(attrExpires)).UTC(),
	}
}

// Live tells whether the key is still taken at a time.
func (r Record) Live(now time.Time) bool { return now.Before(r.Expires) }
