package boltstore

import (
	"encoding/binary"
	"strings"
	"time"

	"holdfast/internal/store"
)

// Neither part of a key holds NUL, so the first one ends the partition key.

func itemKey(key store.Key) []byte {
	raw := make([]byte, 0, len(key.PK)+1+len(key.SK))
	raw = append(raw, key.PK...)
	raw = append(raw, 0)
	return append(raw, key.SK...)
}

func parseItemKey(raw []byte) (store.Key, bool) {
	pk, sk, ok := strings.Cut(string(raw), "\x00")
	return store.Key{PK: pk, SK: sk}, ok && pk != "" && sk != ""
}

// partition begins the keys of a partition.
func partition(pk string) []byte { return append([]byte(pk), 0) }

const dueHead = 1 + 8 // bytes before the item's key in a due key

func dueKey(due store.Due, key []byte) []byte {
	raw := make([]byte, 0, dueHead+len(key))
	raw = append(raw, byte(due.Shard))
	raw = binary.BigEndian.AppendUint64(raw, uint64(due.At.UnixMilli()))
	return append(raw, key...)
}

// dueUpTo tells whether a due key is at or before a time.
func dueUpTo(raw []byte, shard int, until time.Time) bool {
	if len(raw) <= dueHead || raw[0] != byte(shard) {
		return false
	}
	ms := until.UnixMilli()
	return ms >= 0 && binary.BigEndian.Uint64(raw[1:]) <= uint64(ms)
}
