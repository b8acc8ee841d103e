package filejournal

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// flushing flushes the file within Flush after a write.
func (j *Journal) flushing() {
	defer j.idle.Done()
	for {
		select {
		case <-j.stop:
			return
		case <-j.dirty:
		}
		timer := time.NewTimer(j.opt.Flush / 2)
		select {
		case <-j.stop:
			timer.Stop()
			return
		case <-timer.C:
		}
		j.flush()
	}
}

// flush makes what was written durable. After a failed flush the file's state is
// unknown, so that nothing more is acknowledged until the next start.
func (j *Journal) flush() {
	j.mu.Lock()
	file := j.current.file
	j.mu.Unlock()
	err := file.Sync()
	if err == nil || errors.Is(err, os.ErrClosed) { // a rolled segment was synced before it was closed
		return
	}
	j.mu.Lock()
	j.broken = fmt.Errorf("journal: flush: %w", err)
	j.mu.Unlock()
}

// Close flushes and closes the file; receipts that are not sealed stay in it.
func (j *Journal) Close() error {
	close(j.stop)
	j.idle.Wait()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.current.closed = true
	return errors.Join(j.current.file.Sync(), j.current.file.Close(), j.discard(j.current))
}
