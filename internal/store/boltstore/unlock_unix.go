//go:build darwin || linux

package boltstore

import (
	"os"
	"syscall"
)

// unlock lets go of bbolt's lock on a file whose mapping could not be undone: the
// mapping would keep the lock after the file is closed.
func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
