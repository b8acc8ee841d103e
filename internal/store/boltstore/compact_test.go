package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/internal/store"
)

const canary = "KINGFISHER"

// erased makes a closed store from which most items with the canary are gone; the
// writer died, so that nothing was overwritten.
func erased(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	s, err := Open(Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 300 {
		tx := put(fmt.Sprintf("note%04d", n), nil)
		word := canary
		if n%3 == 0 {
			word = "heron"
		}
		tx.Actions[0].Item.Attrs["text"] = store.S(strings.Repeat(word+fmt.Sprint(n)+" ", 20+n*3))
		if err := s.Commit(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 300 {
		if n%3 != 0 {
			remove := store.DeleteItem("", key(fmt.Sprintf("note%04d", n)), nil)
			if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{remove}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.harmed.Store(true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if canaries(t, folder) == 0 {
		t.Fatal("nothing is left in free pages, so this proves nothing")
	}
	return folder
}

// canaries counts the canary in all files of a folder.
func canaries(t *testing.T, folder string) (n int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		n += bytes.Count(raw, []byte(canary))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func keeps(t *testing.T, folder string) {
	t.Helper()
	s := openTest(t, Options{Path: folder})
	for n := range 300 {
		if found(t, s, fmt.Sprintf("note%04d", n)) != (n%3 == 0) {
			t.Fatalf("note %d", n)
		}
	}
	if err := s.Commit(t.Context(), put("after", nil)); err != nil {
		t.Fatal(err)
	}
}

func TestS0CompactLeavesNoErasedByteInTheFolder(t *testing.T) {
	folder := erased(t)
	path := filepath.Join(folder, FileName)
	if err := os.WriteFile(path+draftSuffix, []byte(canary), 0o600); err != nil { // of a killed one
		t.Fatal(err)
	}
	old, err := os.Open(path) // as the disk below sees the old file
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = old.Close() }() // only read
	before := sizeOf(t, path)
	c, err := Compact(folder)
	if err != nil || c.Before != before || c.After != sizeOf(t, path) || c.After >= c.Before {
		t.Fatal(c, err)
	}
	raw := make([]byte, before)
	if _, err := old.ReadAt(raw, 0); err != nil || bytes.Contains(raw, []byte(canary)) {
		t.Fatal("the old file was not overwritten", err)
	}
	if n := canaries(t, folder); n != 0 {
		t.Fatalf("%d are left", n)
	}
	keeps(t, folder)
}

func TestS0CloseLeavesNoErasedByteInTheFile(t *testing.T) {
	folder := erased(t)
	s, err := Open(Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := canaries(t, folder); n != 0 {
		t.Fatalf("%d are left", n)
	}
	keeps(t, folder)
}

func TestCompactRefusesAFolderInUseADamagedFileAndNone(t *testing.T) {
	folder := erased(t)
	s, err := Open(Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compact(folder); !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
	if err := s.Damage(key("note0003")); err != nil {
		t.Fatal(err)
	}
	s.harmed.Store(true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.File())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compact(folder); !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
	after, err := os.ReadFile(s.File())
	if err != nil || !bytes.Equal(before, after) {
		t.Fatal("the damaged file was changed", err)
	}
	names, err := os.ReadDir(folder)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if _, err := Compact(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

func TestDamageThatWasMetLeavesTheFileAsItIsAtClose(t *testing.T) {
	folder := erased(t)
	s, err := Open(Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Damage(key("note0003")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Get(t.Context(), key("note0003")); !errors.Is(err, store.ErrDamaged) {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if canaries(t, folder) == 0 {
		t.Fatal("the damaged file was scrubbed")
	}
}

// TestAFileThatWasReplacedMeanwhileIsNotUsed puts a new file in place between
// opening and locking the old one, as a Compact that ends then does.
func TestAFileThatWasReplacedMeanwhileIsNotUsed(t *testing.T) {
	path := filepath.Join(erased(t), FileName)
	for name, spoil := range map[string]bool{"old file whole": false, "old file overwritten": true} {
		whole := func(path string, flag int, mode os.FileMode) (*os.File, error) {
			file, err := openWhole(path, flag, mode)
			if err != nil {
				return nil, err
			}
			raw, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path+".next", raw, 0o600)
			}
			if err == nil {
				err = os.Rename(path+".next", path)
			}
			if spoil {
				_, zeroing := file.WriteAt(make([]byte, 3*4096), 0)
				err = errors.Join(err, zeroing)
			}
			return file, err
		}
		if db, err := openFile(path, Options{}, whole); db != nil || !errors.Is(err, ErrLocked) {
			t.Errorf("%s: %v", name, err)
		}
	}
	keeps(t, filepath.Dir(path))
}
