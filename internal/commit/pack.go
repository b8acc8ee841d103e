package commit

import (
	"errors"
	"strconv"
	"strings"

	"holdfast/internal/store"
)

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
