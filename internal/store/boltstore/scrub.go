package boltstore

import (
	"bytes"
	"errors"
	"os"

	"go.etcd.io/bbolt"
)

// scrub overwrites with zeros what a closed file holds beside its newest state:
// free pages, and what a failed commit left behind the last page. It does so only
// after the newest state is on disk, since the one before it refers to pages that
// are free now. When another process has the file by now, that one will do it.
func scrub(path string, noSync bool) error {
	db, err := openSound(path, Options{NoSync: noSync})
	switch {
	case errors.Is(err, ErrLocked), errors.Is(err, ErrCorrupt):
		return nil
	case err != nil:
		return err
	}
	return errors.Join(mapUse(scrubFile(db, path, noSync)), db.Close())
}

func scrubFile(db *bbolt.DB, path string, noSync bool) error {
	unused, err := unusedParts(db, path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	w := wiper{file: file, noSync: noSync}
	for _, part := range unused {
		if err == nil {
			err = w.wipe(part)
		}
	}
	return errors.Join(err, w.end())
}

// part is a range of a file, in bytes.
type part struct{ from, to int64 }

// unusedParts answers the parts of a file that its newest state does not use.
func unusedParts(db *bbolt.DB, path string) (parts []part, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	size := int64(db.Info().PageSize)
	err = guard(func() error {
		return db.View(func(tx *bbolt.Tx) error {
			for id := int64(0); id < tx.Size()/size; id++ {
				page, err := tx.Page(int(id))
				if err != nil {
					return err
				}
				if page.Type == "free" {
					parts = join(parts, part{id * size, (id + 1) * size})
				} else {
					id += int64(page.OverflowCount)
				}
			}
			parts = join(parts, part{tx.Size(), max(tx.Size(), info.Size())})
			return nil
		})
	})
	return parts, err
}

// join adds a part, to the last one where they touch.
func join(parts []part, p part) []part {
	if n := len(parts); n > 0 && parts[n-1].to == p.from {
		parts[n-1].to = p.to
		return parts
	}
	return append(parts, p)
}

const (
	wipeStep  = 256 << 10 // bytes that are read at a time
	wipeBlock = 4 << 10   // bytes that are left alone when all of them are zero
)

// wiper overwrites the blocks of a file that are not zero yet. The holes of a file
// stay holes: on a full disk there is no room to fill them.
type wiper struct {
	file   *os.File
	noSync bool
	dirty  bool
	buffer [wipeStep]byte
	zeros  [wipeStep]byte
}

func (w *wiper) wipe(p part) error {
	for at := p.from; at < p.to; at += wipeStep {
		n := min(wipeStep, p.to-at)
		if _, err := w.file.ReadAt(w.buffer[:n], at); err != nil {
			return err
		}
		if err := w.clear(w.buffer[:n], at); err != nil {
			return err
		}
	}
	return nil
}

// clear overwrites what is not zero of the bytes that were read at a place, in as
// few writes as there are stretches of it.
func (w *wiper) clear(read []byte, at int64) error {
	from := 0 // of the stretch, when its end is past it
	for end := 0; end < len(read); {
		next := min(end+wipeBlock, len(read))
		zero := bytes.Equal(read[end:next], w.zeros[:next-end])
		if !zero && next < len(read) {
			end = next
			continue
		}
		if !zero {
			end = next
		}
		if err := w.write(at+int64(from), end-from); err != nil {
			return err
		}
		from, end = next, next
	}
	return nil
}

func (w *wiper) write(at int64, n int) error {
	if n == 0 {
		return nil
	}
	if err := w.first(); err != nil {
		return err
	}
	_, err := w.file.WriteAt(w.zeros[:n], at)
	return err
}

// first flushes the state that is kept before anything is overwritten.
func (w *wiper) first() error {
	if w.dirty || w.noSync {
		return nil
	}
	w.dirty = true
	return w.file.Sync()
}

func (w *wiper) end() error {
	var err error
	if w.dirty {
		err = w.file.Sync()
	}
	return errors.Join(err, w.file.Close())
}
