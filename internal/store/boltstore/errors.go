package boltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	bolterrors "go.etcd.io/bbolt/errors"

	"holdfast/internal/store"
)

// ErrLocked: another process has the folder's file open.
var ErrLocked = errors.New("boltstore: the data folder is in use by another process")

// ErrCorrupt: the file is not, or no longer, what this package wrote. Nothing in
// it was changed. It is a store.ErrDamaged.
var ErrCorrupt error = corrupt{}

type corrupt struct{}

func (corrupt) Error() string { return "boltstore: the data file is damaged" }
func (corrupt) Unwrap() error { return store.ErrDamaged }

// ErrFormat: the file was written by a later version of this package.
var ErrFormat = errors.New("boltstore: the data file has an unknown format")

// ErrReadOnly: the folder or file cannot be written.
var ErrReadOnly = errors.New("boltstore: the data folder is read-only")

// ErrFull: there is no room on the disk, or Options.MaxBytes is reached. The
// store can be read, and written again once there is room.
var ErrFull = errors.New("boltstore: no room on the disk")

// ErrFailed: an earlier flush to disk failed; open the store again.
var ErrFailed = errors.New("boltstore: an earlier flush failed")

// mapOpen names an error of opening the file. What is neither the lock nor the
// system's is a file that bbolt does not understand.
func mapOpen(err error) error {
	var system syscall.Errno
	switch {
	case err == nil:
		return nil
	case isOurs(err):
		return err
	case errors.Is(err, bolterrors.ErrTimeout):
		return ErrLocked
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case isFull(err):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case errors.As(err, &system):
		return fmt.Errorf("boltstore: open: %w", err)
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

// mapUse names an error of reading or writing an open file.
func mapUse(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return store.ErrClosed
	case isFull(err):
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

func isOurs(err error) bool {
	for _, ours := range []error{ErrLocked, ErrCorrupt, ErrFormat, ErrReadOnly, ErrFull} {
		if errors.Is(err, ours) {
			return true
		}
	}
	return false
}

// isFull tells the ways in which a file system says that it takes no more.
func isFull(err error) bool {
	if errors.Is(err, bolterrors.ErrMaxSizeReached) {
		return true
	}
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) || err != nil && strings.HasSuffix(err.Error(), full.Error()) {
			return true // bbolt keeps only the text of a failure to grow the file
		}
	}
	return false
}

// isFlush tells a failed flush, which bbolt answers as the bare error number or,
// when the file was growing, in this text; failed writes name the file.
func isFlush(err error) bool {
	_, bare := err.(syscall.Errno)
	return bare || err != nil && strings.HasPrefix(err.Error(), "file sync error")
}
