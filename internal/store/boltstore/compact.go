package boltstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// Compaction is what Compact did to the size of the file, in bytes.
type Compaction struct {
	Before, After int64
}

// draftSuffix ends the name under which Compact writes. Only the holder of the
// file's lock touches it.
const draftSuffix = ".compact"

// compactBytes is how much one transaction of Compact copies.
const compactBytes = 16 << 20

// Compact writes a folder's file anew with nothing in it but the table, puts it in
// the old one's place and overwrites the old one. It fails as Open does, with
// ErrLocked while a process uses the folder; after a failure or a kill the folder
// holds the old file or the new one, whole. It needs room for the new file beside
// the old one.
func Compact(folder string) (Compaction, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(folder, FileName))
	if err != nil {
		return Compaction{}, mapOpen(err)
	}
	db, err := openSound(path, Options{})
	if err != nil {
		return Compaction{}, err
	}
	c, err := compact(db, path)
	return c, errors.Join(mapOpen(err), db.Close())
}

func compact(db *bbolt.DB, path string) (c Compaction, err error) {
	old, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	info, err := old.Stat()
	if err != nil {
		return c, err
	}
	size, err := rewrite(db, path+draftSuffix, info)
	if err == nil {
		err = os.Rename(path+draftSuffix, path)
	}
	if err != nil {
		return c, errors.Join(err, dropDraft(path))
	}
	c = Compaction{Before: info.Size(), After: size}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return c, err
	}
	w := wiper{file: old}
	if err := w.wipe(part{0, info.Size()}); err != nil {
		return c, err
	}
	return c, old.Sync()
}

// dropDraft removes what a Compact that was killed left: it holds a copy of the
// table of that day.
func dropDraft(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := os.Remove(path + draftSuffix); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// rewrite copies the table into a new file with the mode and owner of the old one
// and answers its size. The file is on disk then.
func rewrite(db *bbolt.DB, draft string, like os.FileInfo) (size int64, err error) {
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	to, err := bbolt.Open(draft, 0o600, &bbolt.Options{NoSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return 0, err
	}
	err = guard(func() error {
		return db.View(func(from *bbolt.Tx) error { return copyTables(from, to) })
	})
	if err == nil {
		err = to.View(func(tx *bbolt.Tx) error { size = tx.Size(); return nil })
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return 0, err
	}
	return size, settle(draft, size, like)
}

// copyTables copies every bucket; an item that is damaged ends it.
func copyTables(from *bbolt.Tx, to *bbolt.DB) error {
	for _, name := range [][]byte{itemsBucket, dueBucket, formatBucket} {
		check := func(_, _ []byte) error { return nil }
		if string(name) == string(itemsBucket) {
			check = func(key, value []byte) error { _, err := openItem(key, value); return err }
		}
		if err := copyBucket(from.Bucket(name).Cursor(), to, name, check); err != nil {
			return err
		}
	}
	return nil
}

// copyBucket copies what a cursor walks, some of it a transaction.
func copyBucket(from *bbolt.Cursor, to *bbolt.DB, name []byte, check func(key, value []byte) error) error {
	key, value := from.First()
	for more := true; more; more = key != nil {
		err := to.Update(func(tx *bbolt.Tx) error {
			bucket, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			bucket.FillPercent = fillPercent
			for n := 0; key != nil && n < compactBytes; key, value = from.Next() {
				if err := check(key, value); err != nil {
					return err
				}
				if err := bucket.Put(key, value); err != nil {
					return err
				}
				n += len(key) + len(value)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settle cuts a new file to its content, makes it like the old one and flushes it.
func settle(path string, size int64, like os.FileInfo) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = errors.Join(file.Truncate(size), file.Chmod(like.Mode().Perm()), own(file, like))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
