package opensearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// versionBits is how far a Sequence is shifted to be a document's external version:
// that many bits count how often its window was rewritten since.
const versionBits = 20

// maxSequence is the greatest sequence that can be shifted.
const maxSequence = 1<<(63-versionBits) - 1

// settleTries is how often windows that a concurrent writer changes under our hands
// are computed anew.
const settleTries = 10

// firstPause is how long an engine that refused windows for now is left alone before
// they are tried again; each further time twice as long, up to maxPause.
const (
	firstPause = 50 * time.Millisecond
	maxPause   = time.Second
)

// change is what a batch does to one document: the newest of its operations.
type change struct {
	id       string
	scope    tenant.Scope
	key      string // of scope
	item     string
	sequence int64
	record   *record // nil: a delete
	ops      []int   // places in the batch, of older operations as well
	sessions map[sessionKey]bool
	sent     bool  // or nothing to send: the index holds a newer one
	err      error // its own
	stale    error // why a window beside it could not be written the last time
}

// Apply writes the operations and the windows that they change; see the package
// comment. An operation also fails where a window beside its document could not be
// brought up to date: doing it again mends that, whatever failed and whenever, since a
// document stays, and tells its session, for as long as a window may hold its words. This
// rests on one writer a document: what another one writes of it, older than a delete or
// move, and not searchable at the last look before that, is mended in the same session
// only, and only by the look that follows.
func (x *Index) Apply(ctx context.Context, ops []search.Op) []error {
	errs := make([]error, len(ops))
	b := x.plan(ops, errs)
	if len(b.changes) > 0 {
		b.settle(ctx)
	}
	for _, c := range b.changes {
		for _, i := range c.ops {
			errs[i] = c.err
		}
	}
	return errs
}

// batch is one Apply.
type batch struct {
	reader
	changes []*change
	byID    map[string]*change
}

// plan checks and analyses operations and keeps the newest of each document: of two
// with one sequence the first.
func (x *Index) plan(ops []search.Op, errs []error) *batch {
	b := &batch{reader: reader{index: x, scopes: map[string]tenant.Scope{}}, byID: map[string]*change{}}
	for i := range ops {
		c, err := x.change(&ops[i])
		if err != nil {
			errs[i] = err
			continue
		}
		known := b.byID[c.id]
		if known == nil {
			b.byID[c.id] = c
			b.scopes[c.key] = c.scope
			b.changes = append(b.changes, c)
			c.ops = []int{i}
			continue
		}
		if c.sequence > known.sequence {
			known.sequence, known.record = c.sequence, c.record
		}
		known.ops = append(known.ops, i)
	}
	return b
}

func (x *Index) change(op *search.Op) (*change, error) {
	d := &op.Document
	if d.Scope.IsZero() || d.ID == "" || d.Sequence < 0 || d.Sequence > maxSequence {
		return nil, search.ErrBadRequest
	}
	c := &change{scope: d.Scope, key: scopeKey(d.Scope), item: d.ID, sequence: d.Sequence, sessions: map[sessionKey]bool{}}
	c.id = documentID(c.key, d.ID)
	if len(c.id) > maxID || len(d.Session) > maxLabel || len(d.Item) > maxLabel {
		return nil, search.ErrBadRequest
	}
	if op.Delete {
		return c, nil
	}
	var err error
	c.record, err = x.newRecord(d)
	return c, err
}

// settle writes the changes and then whatever windows are not right, until all are.
func (b *batch) settle(ctx context.Context) {
	for try := range settleTries {
		if b.refused() {
			if err := b.index.wait(ctx, min(firstPause<<(try-1), maxPause)); err != nil {
				b.fail(err, true)
				return
			}
		}
		settled, err := b.step(ctx)
		if err != nil {
			b.fail(err, try > 0)
			return
		}
		if settled {
			return
		}
	}
	b.fail(fmt.Errorf("%w: others keep changing the same sessions", search.ErrUnavailable), true)
}

// step looks and writes what comes next. It answers whether that was all. Our own writes
// are searchable when the engine answers; what another writer has written in their place
// may not be yet, so then a refresh is asked for.
func (b *batch) step(ctx context.Context) (settled bool, err error) {
	now, err := b.look(ctx)
	if err != nil {
		return false, err
	}
	writes, conflict := now.next(), false
	if len(writes) > 0 {
		conflict = b.index.write(ctx, writes)
	}
	if now.late || conflict {
		err = b.index.refreshNow(ctx)
	}
	return len(writes) == 0 || !b.inSessions(), err
}

func (b *batch) inSessions() bool {
	return slices.ContainsFunc(b.changes, func(c *change) bool { return len(c.sessions) > 0 })
}

// refused tells that the engine did not take windows now but may later.
func (b *batch) refused() bool {
	return slices.ContainsFunc(b.changes, func(c *change) bool { return errors.Is(c.stale, search.ErrUnavailable) })
}

// fail gives changes that have no error yet one: all, or those in sessions, whose
// windows are not known to be right.
func (b *batch) fail(err error, sessionsOnly bool) {
	for _, c := range b.changes {
		if c.err == nil && (!sessionsOnly || len(c.sessions) > 0) {
			c.err = cmp.Or(c.stale, err)
		}
	}
}
