package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// The buckets (see the package comment).
var (
	itemsBucket  = []byte("items")
	dueBucket    = []byte("due")
	formatBucket = []byte("format")
	formatKey    = []byte("version")
)

const formatVersion = 1

// ensure makes the folder and the file when they are not there. The file is built
// under another name and linked into place, so that it is never seen half made: a
// kill in between leaves a draft that nobody reads, and of two processes that start
// together one's file wins.
func ensure(path string, noSync bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	draft, err := build(filepath.Dir(path), noSync)
	if err != nil {
		return err
	}
	if err := place(draft, path); err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	if noSync {
		return nil
	}
	return syncFolder(filepath.Dir(path))
}

// place links a draft to its name and removes the draft. Where the file system
// has no links it is renamed.
func place(draft, path string) error {
	err := os.Link(draft, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(draft, path)
	}
	return os.Remove(draft)
}

// build makes an empty store in a file of its own.
func build(folder string, noSync bool) (path string, err error) {
	file, err := os.CreateTemp(folder, FileName+".new-*")
	if err != nil {
		return "", err
	}
	path = file.Name()
	if err = file.Close(); err == nil {
		err = lay(path, noSync)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

func lay(path string, noSync bool) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: noSync})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{itemsBucket, dueBucket, formatBucket} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(formatBucket).Put(formatKey, binary.BigEndian.AppendUint32(nil, formatVersion))
	})
	return errors.Join(err, db.Close())
}

// syncFolder makes a new name in a folder outlast a loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// inspect refuses a file that is shorter than its newest state says, or that is
// no store of this format.
func inspect(db *bbolt.DB, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return guard(func() error {
		return db.View(func(tx *bbolt.Tx) error {
			if tx.Size() > info.Size() {
				return damaged("the end is missing")
			}
			return inspectFormat(tx)
		})
	})
}

func inspectFormat(tx *bbolt.Tx) error {
	format := tx.Bucket(formatBucket)
	if format == nil || tx.Bucket(itemsBucket) == nil || tx.Bucket(dueBucket) == nil {
		return damaged("not a store")
	}
	raw := format.Get(formatKey)
	if len(raw) != 4 {
		return damaged("no format")
	}
	if found := binary.BigEndian.Uint32(raw); found != formatVersion {
		return fmt.Errorf("%w: %d", ErrFormat, found)
	}
	return nil
}
