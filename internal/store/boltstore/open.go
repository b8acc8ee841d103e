package boltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

// FileName is the file in the data folder.
const FileName = "holdfast.db"

// Options say how to open a store.
type Options struct {
	Path     string        // the data folder; made when it is not there
	NoSync   bool          // do not flush to disk: for tests, whose data may be lost
	LockWait time.Duration // how long to wait for another process to let go; 0: half a second
	MaxBytes int           // most bytes of the file; 0: as many as the disk has
}

const (
	defaultLockWait = 500 * time.Millisecond
	initialMap      = 1 << 30 // bytes of address space: a file below never has to be mapped again
)

// Store is an open data folder. It is safe for concurrent use.
type Store struct {
	db     *bbolt.DB
	file   string
	queue  chan *pending
	done   chan struct{}         // closed when the writer has ended
	failed atomic.Pointer[error] // why there are no further commits
	harmed atomic.Bool           // damage was met: Close leaves the file as it is
	noSync bool

	mu     sync.RWMutex // held to send to queue, so that Close can close it
	closed bool
}

var (
	_ store.Store   = (*Store)(nil)
	_ store.Scanner = (*Store)(nil)
)

// Open opens the folder's file, or makes it. It fails with ErrLocked, ErrCorrupt,
// ErrFormat, ErrReadOnly, ErrFull or an error of the system.
func Open(o Options) (*Store, error) {
	path := filepath.Join(o.Path, FileName)
	if err := ensure(path, o.NoSync); err != nil {
		return nil, mapOpen(err)
	}
	db, err := openSound(path, o)
	if err != nil {
		return nil, err
	}
	if err := dropDraft(path); err != nil {
		return nil, errors.Join(mapOpen(err), db.Close())
	}
	s := &Store{db: db, file: path, noSync: o.NoSync, queue: make(chan *pending, queueRoom), done: make(chan struct{})}
	go s.write()
	return s, nil
}

// openSound opens and locks an existing file and looks whether it is a store.
func openSound(path string, o Options) (*bbolt.DB, error) {
	db, err := openFile(path, o, openWhole)
	if err != nil {
		return nil, mapOpen(err)
	}
	if err := inspect(db, path); err != nil {
		return nil, errors.Join(mapOpen(err), db.Close())
	}
	return db, nil
}

// opener opens a file for bbolt, as os.OpenFile does.
type opener func(path string, flag int, mode os.FileMode) (*os.File, error)

// openFile opens an existing file. A file that was cut or overwritten makes bbolt
// panic or touch memory that is not there; then what bbolt left open is closed
// here. A file that Compact replaced while this waited for its lock is no longer
// the folder's: it was in use a moment ago.
func openFile(path string, o Options, whole opener) (db *bbolt.DB, err error) {
	var file *os.File
	var opened os.FileInfo
	open := func(path string, flag int, mode os.FileMode) (*os.File, error) {
		if file, err = whole(path, flag, mode); err == nil {
			opened, err = file.Stat()
		}
		return file, err
	}
	err = guard(func() error {
		db, err = bbolt.Open(path, 0o600, boltOptions(o, open))
		return err
	})
	if err != nil && file != nil {
		err = errors.Join(err, abandon(file))
	}
	if !replaced(opened, path) {
		return db, err
	}
	if err == nil {
		return nil, errors.Join(ErrLocked, db.Close())
	}
	return nil, ErrLocked
}

// replaced tells whether path is by now another file than the one that was opened.
func replaced(opened os.FileInfo, path string) bool {
	now, err := os.Stat(path)
	return opened != nil && err == nil && !os.SameFile(opened, now)
}

// abandon closes a file unless bbolt did so already.
func abandon(file *os.File) error {
	if _, err := file.Stat(); errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return errors.Join(unlock(file), file.Close())
}

// boltOptions: the map is the freelist that stays fast in a large file. The
// freelist is kept in the file, which costs a page or two a commit: without it a
// start (and every failed commit) has to walk all pages, 270 ms instead of 0.2 ms
// with 600,000 rows, on goroutines of bbolt's own whose panics nobody can catch.
func boltOptions(o Options, open func(string, int, os.FileMode) (*os.File, error)) *bbolt.Options {
	wait := o.LockWait
	if wait <= 0 {
		wait = defaultLockWait
	}
	return &bbolt.Options{
		Timeout:         wait,
		NoSync:          o.NoSync,
		MaxSize:         o.MaxBytes,
		FreelistType:    bbolt.FreelistMapType,
		InitialMmapSize: initialMap,
		NoStatistics:    true,
		OpenFile:        open,
	}
}

// openWhole opens a file that must be there and hold something: ensure put it in
// place as a whole, so an empty one lost its content.
func openWhole(path string, flag int, mode os.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, flag&^os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() == 0 {
		err = damaged("empty file")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// guard runs fn, which reads the file's mapped memory, and turns what a damaged
// file makes of it (bbolt's panics, faults beyond the end) into ErrCorrupt.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = damaged(fmt.Sprintf("unreadable page: %v", reason))
		}
	}()
	return fn()
}

// File is the path of the store's file, which a copy of a stopped store consists of.
func (s *Store) File() string { return s.file }

// Close waits for the commits that were handed over, closes the file and overwrites
// what was deleted from it, unless the file is damaged or could not be flushed: then
// all of it may be needed.
func (s *Store) Close() error {
	s.mu.Lock()
	first := !s.closed
	if first {
		s.closed = true
		close(s.queue)
	}
	s.mu.Unlock()
	<-s.done
	if !first {
		return nil
	}
	if err := s.db.Close(); err != nil || s.harmed.Load() || s.failed.Load() != nil {
		return err
	}
	return scrub(s.file, s.noSync)
}
