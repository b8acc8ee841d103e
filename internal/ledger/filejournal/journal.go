// Package filejournal keeps read receipts in a file beside the embedded store
// until they are sealed (T.19).
//
// Append writes the receipt to the operating system before it returns, so that
// kill -9 loses none; the file is flushed to disk within Options.Flush (100 ms),
// so a power cut loses at most that window. Segments whose receipts are all
// sealed are removed. A torn last line, which a power cut can leave, is dropped
// at the next start; any other broken line is an error.
package filejournal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/tenant"
)

// Options say where and how.
type Options struct {
	Folder  string
	Flush   time.Duration // 0: 100 ms
	Segment int64         // bytes after which a new file begins; 0: 4 MiB
}

// Journal is a ledger.Journal over files.
type Journal struct {
	opt Options

	mu      sync.Mutex
	current *segment
	number  int
	live    map[key]*entry
	order   []*entry // oldest first; sealed ones are skipped and trimmed
	broken  error    // a flush failed
	refused error    // the last write failed, such as on a full disk
	first   int      // index in order of the oldest that may be live

	dirty chan struct{}
	stop  chan struct{}
	idle  sync.WaitGroup
}

type key struct {
	scope tenant.Scope
	id    string
}

type entry struct {
	scope   tenant.Scope
	receipt ledger.Receipt
	segment *segment
	sealed  bool
}

type segment struct {
	path   string
	file   *os.File // nil once it is only read
	size   int64
	live   int
	closed bool
}

const (
	prefix = "receipts-"
	suffix = ".journal"
)

// Open reads what an earlier process left and goes on in a new segment.
func Open(opt Options) (*Journal, error) {
	if opt.Flush <= 0 {
		opt.Flush = 100 * time.Millisecond
	}
	if opt.Segment <= 0 {
		opt.Segment = 4 << 20
	}
	j := &Journal{opt: opt, live: map[key]*entry{}, dirty: make(chan struct{}, 1), stop: make(chan struct{})}
	if err := j.recover(); err != nil {
		return nil, err
	}
	if err := j.roll(); err != nil {
		return nil, err
	}
	j.idle.Add(1)
	go j.flushing()
	return j, nil
}

func (j *Journal) recover() error {
	paths, err := filepath.Glob(filepath.Join(j.opt.Folder, prefix+"*"+suffix))
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	sort.Strings(paths)
	for _, path := range paths {
		digits := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), prefix), suffix)
		n, err := strconv.Atoi(digits)
		if err != nil || len(digits) != 16 || n < 0 {
			continue // not one of ours
		}
		j.number = max(j.number, n)
		if err := j.read(path); err != nil {
			return err
		}
	}
	return nil
}

func (j *Journal) read(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the journal of read receipts cannot be read: %w", err)
	}
	s := &segment{path: path, closed: true}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(make([]byte, 0, 64<<10), 1<<20)
	end := 0
	for lines.Scan() {
		end += len(lines.Bytes()) + 1
		scope, receipt, err := parse(lines.Bytes())
		if err != nil {
			if end >= len(raw) { // the last line: torn by a power cut
				break
			}
			return harmed(path, err)
		}
		j.add(&entry{scope: scope, receipt: receipt, segment: s})
	}
	if err := lines.Err(); err != nil {
		return harmed(path, err)
	}
	return j.discard(s)
}

// harmed says what can be done about a file that cannot be understood.
func harmed(path string, err error) error {
	return fmt.Errorf("the journal %s is damaged (%w): put its backup in its place, or move it out of the data folder to start without the read receipts in it",
		path, err)
}

// format is one line: CRC-32 of the canonical form, a space, the canonical form.
func format(canonical []byte) []byte {
	line := fmt.Appendf(make([]byte, 0, len(canonical)+10), "%08x ", crc32.ChecksumIEEE(canonical))
	return append(append(line, canonical...), '\n')
}

var errLine = errors.New("broken line")

func parse(line []byte) (tenant.Scope, ledger.Receipt, error) {
	if len(line) < 10 || line[8] != ' ' {
		return tenant.Scope{}, ledger.Receipt{}, errLine
	}
	var sum [4]byte
	if _, err := hex.Decode(sum[:], line[:8]); err != nil {
		return tenant.Scope{}, ledger.Receipt{}, errLine
	}
	want := uint32(sum[0])<<24 | uint32(sum[1])<<16 | uint32(sum[2])<<8 | uint32(sum[3])
	if crc32.ChecksumIEEE(line[9:]) != want {
		return tenant.Scope{}, ledger.Receipt{}, errLine
	}
	return ledger.DecodeReceipt(line[9:])
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

// Append writes a receipt to the file. It waits for no device, so ctx does not
// end it.
func (j *Journal) Append(_ context.Context, scope tenant.Scope, receipt ledger.Receipt) error {
	canonical, err := receipt.Encode(scope)
	if err != nil {
		return err
	}
	line := format(canonical)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return j.broken
	}
	if j.live[key{scope, receipt.ID}] != nil { // an append that is tried again
		return nil
	}
	if j.current.size > j.opt.Segment {
		if j.refused = j.roll(); j.refused != nil {
			return j.refused
		}
	}
	if j.refused = j.current.write(line); j.refused != nil {
		return j.refused
	}
	j.add(&entry{scope: scope, receipt: receipt, segment: j.current})
	select {
	case j.dirty <- struct{}{}:
	default:
	}
	return nil
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

// probeBytes is what Ping tries to write: a block of a file system, since a small
// line may still fit into the last one of a full disk.
const probeBytes = 4096

// Ping implements ledger.Prober. It costs nothing while writes succeed; after one
// that failed it tries whether there is room again and takes back what it wrote.
func (j *Journal) Ping(context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return j.broken
	}
	if j.refused == nil {
		return nil
	}
	if j.current.size > j.opt.Segment {
		j.refused = j.roll()
		return j.refused
	}
	s := j.current
	_, err := s.file.Write(bytes.Repeat([]byte{' '}, probeBytes))
	if err = errors.Join(err, s.file.Truncate(s.size)); err != nil {
		j.refused = fmt.Errorf("journal: %w", err)
		return j.refused
	}
	j.refused = nil
	return nil
}

// Find answers a receipt that is not sealed yet.
func (j *Journal) Find(_ context.Context, scope tenant.Scope, id string) (ledger.Receipt, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.live[key{scope, id}]
	if !ok {
		return ledger.Receipt{}, false, nil
	}
	return e.receipt, true, nil
}

// pass is how many receipts one Unsealed looks at.
const pass = 4000

// Unsealed answers the oldest receipts outside skip, gathered by scope.
func (j *Journal) Unsealed(_ context.Context, skip map[tenant.Scope]bool) ([]ledger.Batch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.trim()
	var found ledger.Gather
	seen := 0
	for _, e := range j.order[j.first:] {
		if e.sealed || skip[e.scope] {
			continue
		}
		found.Add(e.scope, e.receipt)
		if seen++; seen == pass {
			break
		}
	}
	return found.Batches(), nil
}

// trim passes over the sealed ones at the front and frees them in bulk.
func (j *Journal) trim() {
	for j.first < len(j.order) && j.order[j.first].sealed {
		j.order[j.first] = nil
		j.first++
	}
	if j.first > 1024 && j.first > len(j.order)/2 {
		j.order = append([]*entry(nil), j.order[j.first:]...)
		j.first = 0
	}
}

// Sealed lets receipts go.
func (j *Journal) Sealed(_ context.Context, scope tenant.Scope, ids []string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var failures []error
	for _, id := range ids {
		e, ok := j.live[key{scope, id}]
		if !ok {
			continue
		}
		delete(j.live, key{scope, id})
		e.sealed = true
		e.segment.live--
		failures = append(failures, j.discard(e.segment))
	}
	j.trim()
	return errors.Join(failures...)
}

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
