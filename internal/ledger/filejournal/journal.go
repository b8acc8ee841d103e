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
	"bytes"
	"context"
	"errors"
	"fmt"
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
