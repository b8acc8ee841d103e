package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	bolterrors "go.etcd.io/bbolt/errors"

	"holdfast/internal/store"
)

func writing(err error) error { return &fs.PathError{Op: "write", Path: FileName, Err: err} }

func TestErrorsOfOpening(t *testing.T) {
	for _, c := range []struct{ err, want error }{
		{bolterrors.ErrTimeout, ErrLocked},
		{bolterrors.ErrInvalid, ErrCorrupt},
		{bolterrors.ErrChecksum, ErrCorrupt},
		{bolterrors.ErrVersionMismatch, ErrCorrupt},
		{errors.New("file size too small 5"), ErrCorrupt},
		{damaged("x"), ErrCorrupt},
		{writing(syscall.EROFS), ErrReadOnly},
		{writing(syscall.EACCES), ErrReadOnly},
		{writing(syscall.EPERM), ErrReadOnly},
		{writing(syscall.ENOSPC), ErrFull},
		{writing(syscall.EDQUOT), ErrFull},
		{fmt.Errorf("file resize error: %s", syscall.ENOSPC), ErrFull},
		{writing(syscall.EIO), syscall.EIO},
		{writing(syscall.EMFILE), syscall.EMFILE},
		{nil, nil},
	} {
		got := mapOpen(c.err)
		if !errors.Is(got, c.want) || c.want != ErrCorrupt && errors.Is(got, ErrCorrupt) {
			t.Errorf("%v is %v", c.err, got)
		}
	}
}

func TestErrorsOfUse(t *testing.T) {
	for _, c := range []struct {
		err, want error
		flush     bool
	}{
		{bolterrors.ErrDatabaseNotOpen, store.ErrClosed, false},
		{bolterrors.ErrMaxSizeReached, ErrFull, false},
		{writing(syscall.ENOSPC), ErrFull, false},
		{fmt.Errorf("file resize error: %s", syscall.EFBIG), ErrFull, false},
		{fmt.Errorf("file sync error: %s", syscall.EIO), nil, true},
		{syscall.EIO, syscall.EIO, true},
		{writing(syscall.EIO), syscall.EIO, false},
		{damaged("x"), ErrCorrupt, false},
	} {
		if got := mapUse(c.err); c.want != nil && !errors.Is(got, c.want) || got == nil {
			t.Errorf("%v is %v", c.err, got)
		}
		if isFlush(c.err) != c.flush {
			t.Errorf("%v: flush %v", c.err, isFlush(c.err))
		}
	}
}

func TestACallerWhoLeavesLateGetsTheAnswerIfThereIsOne(t *testing.T) {
	answer, gone := errors.New("answer"), context.Canceled
	for _, c := range []struct {
		name     string
		state    int32
		answered bool
		want     error
	}{
		{"waiting", waiting, false, gone},
		{"taken", taken, false, gone},
		{"answered", taken, true, answer},
	} {
		p := &pending{done: make(chan error, 1)}
		p.state.Store(c.state)
		if c.answered {
			p.done <- answer
		}
		if got := p.leave(gone); !errors.Is(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
		if c.state == waiting && p.state.Load() != left {
			t.Errorf("%s: still to be done", c.name)
		}
	}
}
