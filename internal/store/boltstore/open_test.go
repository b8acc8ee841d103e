package boltstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

func commit(t testing.TB, s store.Store, actions ...store.Action) {
	t.Helper()
	if err := s.Commit(t.Context(), store.Tx{Actions: actions}); err != nil {
		t.Fatal(err)
	}
}

// filled makes a folder with a closed store of some rows and answers its file.
func filled(t testing.TB, rows int) (file string) {
	t.Helper()
	s, err := boltstore.Open(boltstore.Options{Path: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < rows; n += 50 {
		var actions []store.Action
		for i := range 50 {
			it := row(fmt.Sprint("p", i%3), fmt.Sprintf("%08d", n+i))
			it.Due = &store.Due{Shard: i % store.Shards, At: time.UnixMilli(int64(n + i))}
			actions = append(actions, store.PutItem("", it, nil))
		}
		commit(t, s, actions...)
	}
	file = s.File()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestT37TheFolderIsMadeAndKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "data")
	for range 2 {
		s, err := boltstore.Open(boltstore.Options{Path: folder})
		if err != nil {
			t.Fatal(err)
		}
		commit(t, s, store.AddTo("", store.Key{PK: "p", SK: "starts"}, map[string]int64{"n": 1}, nil))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, boltstore.Options{Path: folder})
	item, found, err := s.Get(t.Context(), store.Key{PK: "p", SK: "starts"})
	if err != nil || !found || item.Attrs.Int("n") != 2 {
		t.Fatal(item, found, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != boltstore.FileName {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	info, err := os.Stat(s.File())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
}

func TestASecondOpenIsLockedUntilTheFirstCloses(t *testing.T) {
	folder := t.TempDir()
	first, err := boltstore.Open(boltstore.Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := boltstore.Open(boltstore.Options{Path: folder, LockWait: time.Millisecond}); !errors.Is(err, boltstore.ErrLocked) {
		t.Fatal(err)
	}
	commit(t, first, store.PutItem("", row("p", "s"), nil))
	opened := make(chan error, 1)
	go func() {
		second, err := boltstore.Open(boltstore.Options{Path: folder, LockWait: time.Minute})
		if err == nil {
			err = second.Close()
		}
		opened <- err
	}()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Fatal(err)
	}
}

// damages change a good file of at least 60 pages so that it must be refused.
var damages = map[string]func([]byte) []byte{
	"emptied":                func(b []byte) []byte { return nil },
	"a hundred bytes":        func(b []byte) []byte { return b[:100] },
	"one page":               func(b []byte) []byte { return b[:4096] },
	"two pages":              func(b []byte) []byte { return b[:8192] },
	"three pages":            func(b []byte) []byte { return b[:3*4096] },
	"cut in the middle":      func(b []byte) []byte { return b[:20*4096] },
	"cut within a page":      func(b []byte) []byte { return b[:60_001] },
	"other content":          func(b []byte) []byte { return bytes.Repeat([]byte("dear diary, "), 5000) },
	"zeros":                  func(b []byte) []byte { return make([]byte, len(b)) },
	"both heads overwritten": func(b []byte) []byte { clear(b[16 : 16+64]); clear(b[4096+16 : 4096+80]); return b },
	"nothing but heads":      func(b []byte) []byte { clear(b[8192:]); return b },
}

func TestADamagedFileIsRefusedAndLeftAlone(t *testing.T) {
	good, err := os.ReadFile(filled(t, 1000))
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			bad := damage(bytes.Clone(good))
			file := filepath.Join(t.TempDir(), boltstore.FileName)
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the first must not keep the lock
				s, err := boltstore.Open(boltstore.Options{Path: filepath.Dir(file)})
				if !errors.Is(err, boltstore.ErrCorrupt) {
					t.Fatal(s, err)
				}
			}
			after, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(after, bad) {
				t.Fatalf("the file was changed, %v", err)
			}
		})
	}
}

func TestAFileOfAnotherKindIsRefused(t *testing.T) {
	bucket := func(name, key string, value []byte) func(*bbolt.Tx) error {
		return func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte(name))
			if err != nil {
				return err
			}
			return b.Put([]byte(key), value)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*bbolt.Tx) error
		want   error
	}{
		{"later format", bucket("format", "version", []byte{0, 0, 0, 2}), boltstore.ErrFormat},
		{"no number", bucket("format", "version", []byte{1}), boltstore.ErrCorrupt},
		{"no items", func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("items")) }, boltstore.ErrCorrupt},
		{"no due index", func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("due")) }, boltstore.ErrCorrupt},
		{"no format", func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("format")) }, boltstore.ErrCorrupt},
		{"unchanged", func(*bbolt.Tx) error { return nil }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filled(t, 50)
			change(t, file, c.change)
			s, err := boltstore.Open(boltstore.Options{Path: filepath.Dir(file)})
			if !errors.Is(err, c.want) {
				t.Fatal(err)
			}
			if err == nil {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// change edits a closed store's file behind its back.
func change(t testing.TB, file string, edit func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(file, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(edit), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAFileInPlaceOfTheFolderIsNoDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := boltstore.Open(boltstore.Options{Path: path})
	if err == nil || errors.Is(err, boltstore.ErrCorrupt) || errors.Is(err, boltstore.ErrLocked) {
		t.Fatal(err)
	}
}

// noon is later than all that is due in these tests.
var noon = time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC)

// TestOfManyFirstOpensOneFileWins: whoever gets the lock finds what the ones before
// it wrote.
func TestOfManyFirstOpensOneFileWins(t *testing.T) {
	folder := t.TempDir()
	const openers = 8
	var all sync.WaitGroup
	for range openers {
		all.Go(func() {
			s, err := boltstore.Open(boltstore.Options{Path: folder, LockWait: time.Minute})
			if err != nil {
				t.Error(err)
				return
			}
			count := store.AddTo("", store.Key{PK: "p", SK: "opens"}, map[string]int64{"n": 1}, nil)
			err = s.Commit(context.Background(), store.Tx{Actions: []store.Action{count}})
			if err := errors.Join(err, s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := open(t, boltstore.Options{Path: folder})
	item, _, err := s.Get(t.Context(), store.Key{PK: "p", SK: "opens"})
	if err != nil || item.Attrs.Int("n") != openers {
		t.Fatalf("%d of %d opens are counted, %v", item.Attrs.Int("n"), openers, err)
	}
}
