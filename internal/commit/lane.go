package commit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// pack takes writes in order while they fit one transaction. A write that shares a
// key with an earlier one waits for its turn and is then planned anew, here, so
// that writers of one row follow each other without a crowd planning in vain.
func (l *lane) pack(ps []*pending) (group, left []*pending) {
	used := map[store.Key]bool{}
	actions, size := shared, 0
	for i, p := range ps {
		if p.ctx.Err() != nil {
			p.finish(Outcome{}, unavailable(p.ctx.Err()))
			continue
		}
		if p.outdated && !p.shares(used) && !l.planAnew(p) {
			continue
		}
		if actions+p.actions() > store.MaxActions || size+p.size > store.MaxCommit/2 && len(group) > 0 {
			return group, append(left, ps[i:]...)
		}
		if p.collides(used) {
			p.outdated = true
			left = append(left, p)
			continue
		}
		group = append(group, p)
		actions, size = actions+p.actions(), size+p.size
	}
	return group, left
}

// planAnew replaces an outdated plan by one that sees what was committed since.
// It answers false when the write has come to its end.
func (l *lane) planAnew(p *pending) bool {
	if p.tries++; p.tries > maxPlans {
		p.finish(Outcome{}, busy(nil))
		return false
	}
	op := Operation{ID: p.op.ID, At: l.c.Clock.Now()}
	next, out, err := l.c.next(p.ctx, p.write, op, p.tries)
	if err != nil || out != nil {
		p.finish(deref(out), err)
		return false
	}
	p.op, p.plan, p.jobs, p.fixed, p.size, p.stale = next.op, next.plan, next.jobs, next.fixed, next.size, next.stale
	p.outdated = false
	return true
}

// collides notes the write's keys and tells whether one was noted before.
func (p *pending) collides(used map[store.Key]bool) bool {
	hit := p.shares(used)
	p.each(func(k store.Key) { used[k] = true })
	return hit
}

// shares tells whether one of the write's keys was noted.
func (p *pending) shares(used map[store.Key]bool) bool {
	hit := false
	p.each(func(k store.Key) { hit = hit || used[k] })
	return hit
}

// each visits the keys by which two writes can stand in each other's way.
func (p *pending) each(visit func(store.Key)) {
	for _, a := range p.fixed {
		visit(a.Item.Key)
	}
	if p.write.Key != nil {
		visit(store.Key{PK: p.write.Key.Hash, SK: "IDEM"})
	}
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
		l.c.Log.LogAttrs(ctx, slogLevel, "commit failed", errAttr(err))
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

func (l *lane) done(b batch) {
	l.head = &b.head
	var jobs []outbox.Job
	for i, p := range b.group {
		p.finish(b.outcomes[i], nil)
		jobs = append(jobs, p.jobs...)
	}
	if l.c.Relay != nil && (b.moved || len(jobs) > 0) {
		l.c.Relay.Committed(l.scope, b.moved, jobs)
	}
}

// culprits answers the indexes of the writes whose conditions failed.
func (b batch) culprits(err error) map[int]bool {
	var cond *store.ConditionError
	if !errors.As(err, &cond) {
		return nil
	}
	bad := map[int]bool{}
	for _, label := range cond.Labels {
		n, _, ok := strings.Cut(label, ":")
		if i, perr := strconv.Atoi(n); ok && perr == nil && i < len(b.group) {
			bad[i] = true
		}
	}
	return bad
}

// patience is how often a write whose condition failed is planned anew at once;
// then its caller waits a little first, since another process is at the same rows.
const patience = 3

// split parts a group into those that can be tried again and those that must be
// planned anew. What was planned too often goes back to its caller.
func split(group []*pending, bad map[int]bool) (left, anew []*pending) {
	for i, p := range group {
		switch {
		case !bad[i]:
			left = append(left, p)
		case p.tries%(patience+1) == patience:
			p.finish(Outcome{}, errReplan)
		default:
			p.outdated = true
			anew = append(anew, p)
		}
	}
	return left, anew
}
