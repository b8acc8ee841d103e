//go:build darwin || linux

package boltstore

import (
	"os"
	"syscall"
)

// unlock lets go of bbolt's lock on a file whose mapping could not be undone: the
// mapping would keep the lock after the file is closed.
func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// own gives a file the owner of another one: root may compact what a service's
// user owns.
func own(file *os.File, like os.FileInfo) error {
	owner, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return file.Chown(int(owner.Uid), int(owner.Gid))
}
