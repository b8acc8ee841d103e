package boltstore

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"holdfast/internal/store"
)

// An encoded item, version 1:
//
//	version   1 byte
//	checksum  4 bytes: CRC-32C of the item's key and of everything that follows
//	flags     1 byte: has Due, has Expires
//	due       1 byte of shard, 8 bytes of Unix milliseconds, when flagged
//	expires   8 bytes of Unix seconds, when flagged
//	size      uvarint: the item's bytes as the port counts them
//	count     uvarint: attributes
//	head      uvarint: bytes of the entries
//	entries   by name: type, name, then text and numbers with their length, bools
//	          as one byte, of bytes only the length
//	tail      the bytes values, in the order of the entries
//
// Lengths are uvarints, fixed numbers big-endian. Bytes values come last, so that
// decoding copies the entries once, as the one string that names and texts share.
const (
	itemVersion = 1
	headerBytes = 1 + 4 + 1
	hasDue      = 1 << 0
	hasExpires  = 1 << 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode writes an item for the key under which it is stored.
func encode(key []byte, item store.Item) []byte {
	names := make([]string, 0, len(item.Attrs))
	room, tail := 0, 0
	for name, v := range item.Attrs {
		names = append(names, name)
		room += 1 + 2*binary.MaxVarintLen32 + len(name) + len(v.S)
		tail += len(v.B)
	}
	slices.Sort(names)
	raw := make([]byte, headerBytes, headerBytes+17+3*binary.MaxVarintLen32+room+tail)
	raw[0] = itemVersion
	raw = appendTimes(raw, item)
	raw = binary.AppendUvarint(raw, uint64(store.Size(item)))
	raw = binary.AppendUvarint(raw, uint64(len(names)))
	raw = appendEntries(raw, names, item.Attrs)
	for _, name := range names {
		if v := item.Attrs[name]; v.Type == store.Bytes {
			raw = append(raw, v.B...)
		}
	}
	binary.BigEndian.PutUint32(raw[1:], checksum(key, raw))
	return raw
}

func appendTimes(raw []byte, item store.Item) []byte {
	if item.Due != nil {
		raw[headerBytes-1] |= hasDue
		raw = append(raw, byte(item.Due.Shard))
		raw = binary.BigEndian.AppendUint64(raw, uint64(item.Due.At.UnixMilli()))
	}
	if !item.Expires.IsZero() {
		raw[headerBytes-1] |= hasExpires
		raw = binary.BigEndian.AppendUint64(raw, uint64(item.Expires.Unix()))
	}
	return raw
}

func appendEntries(raw []byte, names []string, attrs store.Attrs) []byte {
	head := 0
	for _, name := range names {
		head += entryBytes(name, attrs[name])
	}
	raw = binary.AppendUvarint(raw, uint64(head))
	for _, name := range names {
		v := attrs[name]
		raw = append(raw, byte(v.Type))
		raw = binary.AppendUvarint(raw, uint64(len(name)))
		raw = append(raw, name...)
		switch v.Type {
		case store.Bool:
			raw = append(raw, boolByte(v.On))
		case store.Bytes:
			raw = binary.AppendUvarint(raw, uint64(len(v.B)))
		default:
			raw = binary.AppendUvarint(raw, uint64(len(v.S)))
			raw = append(raw, v.S...)
		}
	}
	return raw
}

func entryBytes(name string, v store.Value) int {
	n := 1 + uvarintBytes(len(name)) + len(name)
	switch v.Type {
	case store.Bool:
		return n + 1
	case store.Bytes:
		return n + uvarintBytes(len(v.B))
	}
	return n + uvarintBytes(len(v.S)) + len(v.S)
}

func uvarintBytes(n int) int {
	bytes := 1
	for ; n >= 0x80; n >>= 7 {
		bytes++
	}
	return bytes
}

func boolByte(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// checksum covers the key, so that a value under a wrong key is found as well.
func checksum(key, raw []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, raw[headerBytes-1:])
}
