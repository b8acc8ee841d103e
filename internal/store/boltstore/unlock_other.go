//go:build !darwin && !linux

package boltstore

import "os"

// unlock does nothing: here the lock ends with the process.
func unlock(*os.File) error { return nil }
