package boltstore

import (
	"bytes"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

// Damage changes the last byte of a stored item behind the store's back. It makes
// the store a storetest.Damager.
func (s *Store) Damage(key store.Key) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		raw := bytes.Clone(tx.Bucket(itemsBucket).Get(itemKey(key)))
		raw[len(raw)-1] ^= 1
		return tx.Bucket(itemsBucket).Put(itemKey(key), raw)
	})
}
