package boltstore

import (
	"encoding/binary"
	"fmt"
	"time"

	"holdfast/internal/store"
)

// header is the front of an encoded item, for what need not decode the rest.
type header struct {
	due     *store.Due
	expires time.Time
	size    int
	count   int
	entries []byte
	tail    []byte
}

// openItem checks an encoded item and reads its front.
func openItem(key, raw []byte) (header, error) {
	if len(raw) < headerBytes || raw[0] != itemVersion {
		return header{}, damaged("item version")
	}
	if binary.BigEndian.Uint32(raw[1:]) != checksum(key, raw) {
		return header{}, damaged("item checksum")
	}
	var h header
	r := reader{rest: raw[headerBytes:]}
	if raw[headerBytes-1]&hasDue != 0 {
		shard := r.byte()
		h.due = &store.Due{Shard: int(shard), At: time.UnixMilli(int64(r.fixed())).UTC()}
	}
	if raw[headerBytes-1]&hasExpires != 0 {
		h.expires = time.Unix(int64(r.fixed()), 0).UTC()
	}
	h.size, h.count = r.length(), r.length()
	h.entries = r.take(r.length())
	h.tail = r.rest
	if r.bad || h.count > len(h.entries) {
		return header{}, damaged("item header")
	}
	return h, nil
}

// decode copies an item out of the file's memory.
func decode(key, raw []byte) (store.Item, error) {
	h, err := openItem(key, raw)
	if err != nil {
		return store.Item{}, err
	}
	return h.item(key)
}

// item copies what the header points to.
func (h header) item(key []byte) (store.Item, error) {
	parsed, ok := parseItemKey(key)
	if !ok {
		return store.Item{}, damaged("item key")
	}
	item := store.Item{Key: parsed, Due: h.due, Expires: h.expires, Attrs: make(store.Attrs, h.count)}
	entries := textReader{rest: string(h.entries)}
	tail := reader{rest: h.tail}
	for range h.count {
		kind, name := store.ValueType(entries.byte()), entries.text()
		switch kind {
		case store.Bool:
			item.Attrs[name] = store.T(entries.byte() == 1)
		case store.Bytes:
			item.Attrs[name] = store.B(append([]byte{}, tail.take(entries.length())...))
		default:
			item.Attrs[name] = store.Value{Type: kind, S: entries.text()}
		}
	}
	if entries.bad || tail.bad {
		return store.Item{}, damaged("item entries")
	}
	return item, nil
}

// attr finds one attribute without decoding the others. Its text and bytes are
// copies.
func (h header) attr(name string) (store.Value, bool) {
	entries, tail := reader{rest: h.entries}, reader{rest: h.tail}
	for range h.count {
		kind := store.ValueType(entries.byte())
		match := string(entries.take(entries.length())) == name
		var v store.Value
		switch kind {
		case store.Bool:
			v = store.T(entries.byte() == 1)
		case store.Bytes:
			v = store.Value{Type: kind, B: tail.take(entries.length())}
		default:
			text := entries.take(entries.length())
			if match {
				v = store.Value{Type: kind, S: string(text)}
			}
		}
		if match {
			return v, !entries.bad && !tail.bad
		}
	}
	return store.Value{}, false
}

func damaged(what string) error { return fmt.Errorf("%w: %s", ErrCorrupt, what) }
