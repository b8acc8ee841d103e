package boltstore

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestAFileSystemThatTakesNoMoreIsErrFull bounds the size of files, which the
// kernel answers as it answers a full disk.
func TestAFileSystemThatTakesNoMoreIsErrFull(t *testing.T) {
	s := openTest(t, Options{})
	unbounded := boundFiles(t, 24<<20)
	n := fillUp(t, s)
	intact(t, s, n)
	var err error
	for i := 0; err == nil && i < 100; i++ { // the refused commit may have left pages to use
		err = s.Commit(t.Context(), big(fmt.Sprint("still", i)))
	}
	if !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	unbounded()
	if err := s.Commit(t.Context(), big("room again")); err != nil {
		t.Fatal(err)
	}
	intact(t, s, n)
}

// boundFiles bounds the size of the files that this process writes.
func boundFiles(t *testing.T, bytes uint64) (undo func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	set := func(limit syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
	}
	undo = func() { set(old); signal.Reset(syscall.SIGXFSZ) }
	t.Cleanup(undo)
	set(syscall.Rlimit{Cur: bytes, Max: old.Max})
	return undo
}

// TestAfterAFailedFlushThereAreNoCommitsButReads puts a device that cannot be
// flushed in place of the file.
func TestAfterAFailedFlushThereAreNoCommitsButReads(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), put("before", nil)); err != nil {
		t.Fatal(err)
	}
	replaceFile(t, s.File(), "/dev/null")
	if err := s.Commit(t.Context(), put("lost", nil)); !errors.Is(err, syscall.EINVAL) {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Commit(t.Context(), put("after", nil)); !errors.Is(err, ErrFailed) {
			t.Fatal(err)
		}
	}
	if !found(t, s, "before") {
		t.Fatal("cannot be read")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := openTest(t, Options{Path: folder})
	if !found(t, again, "before") || found(t, again, "after") {
		t.Fatal("opened again it holds something else")
	}
}

// replaceFile makes the descriptor that has a file open stand for another one.
func replaceFile(t *testing.T, file, by string) {
	t.Helper()
	other, err := os.OpenFile(by, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	replaced := 0
	for _, link := range links {
		var fd int
		name, reading := os.Readlink(link)
		if _, err := fmt.Sscan(filepath.Base(link), &fd); err != nil || reading != nil || name != file {
			continue
		}
		if err := syscall.Dup3(int(other.Fd()), fd, 0); err != nil {
			t.Fatal(err)
		}
		replaced++
	}
	if err := other.Close(); err != nil || replaced != 1 {
		t.Fatalf("%d descriptors replaced, %v", replaced, err)
	}
}

func TestAReadOnlyFolderOrFileIsErrReadOnly(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Dir(folder)} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(Options{Path: filepath.Join(folder, "made")})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), os.Chmod(s.File(), 0o444), os.Chmod(filepath.Dir(s.File()), 0o755), os.Chmod(folder, 0o555)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Error(err)
		}
	})
	asNobody(t, func() {
		for name, path := range map[string]string{"folder": folder, "no folder": filepath.Join(folder, "new"), "file": filepath.Join(folder, "made")} {
			if s, err := Open(Options{Path: path}); !errors.Is(err, ErrReadOnly) {
				t.Errorf("%s: %v, %v", name, s, err)
			}
		}
	})
}

// asNobody runs fn on a thread that has a plain user's rights to files, also when
// the tests run as root, whom no mode bits bind.
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				t.Error(err)
				return
			}
		}
		fn()
	}()
	<-done
}
