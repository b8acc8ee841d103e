package filejournal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

type segment struct {
	path   string
	file   *os.File // nil once it is only read
	size   int64
	live   int
	closed bool
}

func (j *Journal) add(e *entry) {
	e.segment.live++
	j.live[key{e.scope, e.receipt.ID}] = e
	j.order = append(j.order, e)
}

// roll begins a new segment.
func (j *Journal) roll() error {
	j.number++
	path := filepath.Join(j.opt.Folder, fmt.Sprintf("%s%016d%s", prefix, j.number, suffix))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	old := j.current
	j.current = &segment{path: path, file: file}
	if old == nil {
		return nil
	}
	old.closed = true
	if err := errors.Join(old.file.Sync(), old.file.Close()); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return j.discard(old)
}

// discard removes a finished segment whose receipts are all sealed.
func (j *Journal) discard(s *segment) error {
	if !s.closed || s.live > 0 {
		return nil
	}
	return os.Remove(s.path)
}

// write appends a whole line; what a full disk left of it is cut off again.
func (s *segment) write(line []byte) error {
	n, err := s.file.Write(line)
	if err != nil {
		if n > 0 {
			err = errors.Join(err, s.file.Truncate(s.size))
		}
		return fmt.Errorf("journal: %w", err)
	}
	s.size += int64(n)
	return nil
}
