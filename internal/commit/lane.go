package commit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// shared is how many actions a transaction has beside those of its writes: the
// head and the index mark.
const shared = 2

// commitTime bounds one group's commit with all its tries.
const commitTime = 10 * time.Second

// markDelay is how long an index message may take before the sweep sends another.
const markDelay = 30 * time.Second

// lane is the queue of the writers of one scope. At most one goroutine runs it.
type lane struct {
	c       *Committer
	scope   tenant.Scope
	mu      sync.Mutex
	waiting []*pending
	running bool
	head    *ledger.Head // as of the last commit of this process; nil: read it
}

// submit queues writes of one scope in order; nil entries are passed over.
func (c *Committer) submit(ps ...*pending) {
	var l *lane
	for _, p := range ps {
		if p == nil {
			continue
		}
		if l == nil {
			l = c.lane(p.write.Scope)
			l.mu.Lock()
		}
		l.waiting = append(l.waiting, p)
	}
	if l == nil {
		return
	}
	start := !l.running
	l.running = true
	l.mu.Unlock()
	if start {
		go l.run()
	}
}

// maxLanes bounds the lanes kept for their cached heads.
const maxLanes = 4096

func (c *Committer) lane(scope tenant.Scope) *lane {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lanes[scope]
	if l == nil {
		if len(c.lanes) >= maxLanes {
			c.dropIdle()
		}
		l = &lane{c: c, scope: scope}
		c.lanes[scope] = l
	}
	return l
}

// dropIdle forgets lanes that nobody waits in. A writer that holds a forgotten
// lane still uses it: the head's condition keeps two lanes of a scope apart.
func (c *Committer) dropIdle() {
	for scope, l := range c.lanes {
		l.mu.Lock()
		idle := !l.running
		l.mu.Unlock()
		if idle {
			delete(c.lanes, scope)
		}
	}
}

func (l *lane) take() []*pending {
	l.mu.Lock()
	defer l.mu.Unlock()
	ps := l.waiting
	l.waiting = nil
	if len(ps) == 0 {
		l.running = false
	}
	return ps
}

func (l *lane) run() {
	for ps := l.take(); len(ps) > 0; ps = l.take() {
		for len(ps) > 0 {
			ps = l.round(ps)
		}
	}
}

// round commits one group and answers the writes that are left, in order.
func (l *lane) round(ps []*pending) []*pending {
	ctx, cancel := context.WithTimeout(context.Background(), commitTime)
	defer cancel()
	group, left := l.pack(ps)
	return append(l.commit(ctx, group), left...)
}

// commit brings every write of the group to an end, but for those it answers,
// whose conditions did not hold: they are planned anew.
func (l *lane) commit(ctx context.Context, group []*pending) (anew []*pending) {
	for try := 0; len(group) > 0; try++ {
		left, bad, err := l.try(ctx, group)
		anew = append(anew, bad...)
		if err == nil {
			group = left
			continue
		}
		l.head = nil
		if !again(err) {
			return append(anew, l.alone(ctx, left, err)...)
		}
		if werr := l.c.Wait(ctx, l.c.Jitter(backoff(try))); werr != nil {
			fail(left, unavailable(err))
			return anew
		}
		group = left
	}
	return anew
}

// again tells errors after which nothing happened and the same group may be tried.
func again(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrThrottled) || store.Failed(err, "head")
}

// alone settles a group after an error that names no culprit: each write is tried
// by itself, so that none fails for another's fault.
func (l *lane) alone(ctx context.Context, group []*pending, err error) (anew []*pending) {
	if len(group) == 1 {
		l.c.Log.LogAttrs(group[0].ctx, slogLevel, "commit failed", errAttr(err)) // the lane is nobody's
		fail(group, refused(err))
		return nil
	}
	for _, p := range group {
		anew = append(anew, l.commit(ctx, []*pending{p})...)
	}
	return anew
}

func refused(err error) error {
	if errors.Is(err, store.ErrTooLarge) || errors.Is(err, store.ErrBadRequest) {
		return errs.Wrap(errs.Internal, "INTERNAL", "The write does not fit one commit.", err)
	}
	return unavailable(err)
}

func fail(group []*pending, err error) {
	for _, p := range group {
		p.finish(Outcome{}, err)
	}
}

// try commits the group once. It answers those left to try, those to be planned
// anew, and an error when nothing happened to any of those left.
func (l *lane) try(ctx context.Context, group []*pending) (left, anew []*pending, err error) {
	before, err := l.current(ctx)
	if err != nil {
		return group, nil, err
	}
	b := build(before, group, l.scope)
	if len(b.group) == 0 {
		return nil, nil, nil
	}
	err = l.c.Store.Commit(ctx, store.Tx{Actions: b.actions})
	if err != nil && !settled(err) {
		err = l.settle(ctx, b, err)
	}
	if err == nil {
		l.done(b)
		return nil, nil, nil
	}
	if bad := b.culprits(err); len(bad) > 0 {
		left, anew = split(b.group, bad)
		if store.Failed(err, "head") {
			return left, anew, err
		}
		return left, anew, nil
	}
	return b.group, nil, err
}

func (l *lane) current(ctx context.Context) (ledger.Head, error) {
	if l.head != nil {
		return *l.head, nil
	}
	return ledger.ReadHead(ctx, l.c.Store, l.scope)
}

// settled tells errors that say nothing happened.
func settled(err error) bool {
	var cond *store.ConditionError
	return errors.As(err, &cond) || again(err) || errors.Is(err, store.ErrTooLarge) || errors.Is(err, store.ErrBadRequest)
}

// settle finds out whether a commit whose answer was lost has happened: the first
// row after the old head, or the first operation's row, is ours or it is not.
func (l *lane) settle(ctx context.Context, b batch, err error) error {
	l.head = nil
	_, found, rerr := ledger.ReadOperation(ctx, l.c.Store, l.scope, b.witness)
	if rerr != nil || b.witness == "" {
		return fmt.Errorf("commit: outcome unknown: %w", err)
	}
	if found {
		return nil
	}
	return err
}

// done tells the relay, which does not block, and then the callers: whoever has an
// answer finds the workers woken.
func (l *lane) done(b batch) {
	l.head = &b.head
	if l.c.Relay != nil {
		var jobs []outbox.Job
		for _, p := range b.group {
			jobs = append(jobs, p.due()...)
		}
		l.c.Relay.Committed(l.scope, b.moved, jobs)
	}
	for i, p := range b.group {
		p.finish(b.outcomes[i], nil)
	}
}
