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
// Writes that only check a row for the same thing do not stand in each other's way.
func (l *lane) pack(ps []*pending) (group, left []*pending) {
	used := rowsUsed{}
	actions, size := shared, 0
	for i, p := range ps {
		if p.ctx.Err() != nil {
			p.finish(Outcome{}, unavailable(p.ctx.Err()))
			continue
		}
		if p.outdated && !p.awaits(used) && !l.planAnew(p) {
			continue
		}
		more := p.actions() - p.shared(used)
		if actions+more > store.MaxActions || size+p.size > store.MaxCommit/2 && len(group) > 0 {
			return group, append(left, ps[i:]...)
		}
		if p.collides(used) {
			p.outdated = true
			left = append(left, p)
			continue
		}
		group = append(group, p)
		actions, size = actions+more, size+p.size
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

// rowsUsed are the rows that a round's writes touch: to the condition where all of
// them only check it, to nil where one writes the row or they check different things.
type rowsUsed map[store.Key]*store.Cond

// collides notes the write's rows and tells whether one of them keeps it from
// going with those that were noted before.
func (p *pending) collides(used rowsUsed) bool {
	hit := false
	p.each(func(k store.Key, check *store.Cond) {
		before, noted := used[k]
		if noted && !sameCheck(before, check) {
			hit, check = true, nil
		}
		used[k] = check
	})
	return hit
}

// awaits tells whether a row of the write is being written, or waited for, so that
// a plan made now would be outdated again.
func (p *pending) awaits(used rowsUsed) bool {
	hit := false
	p.each(func(k store.Key, _ *store.Cond) {
		before, noted := used[k]
		hit = hit || noted && before == nil
	})
	return hit
}

// shared counts the write's checks that the group makes already.
func (p *pending) shared(used rowsUsed) int {
	n := 0
	p.each(func(k store.Key, check *store.Cond) {
		if before, noted := used[k]; noted && sameCheck(before, check) {
			n++
		}
	})
	return n
}

// sameCheck tells whether two actions on one key only check the same condition.
func sameCheck(a, b *store.Cond) bool {
	return a != nil && b != nil && a.Absent == b.Absent && a.Exists == b.Exists &&
		a.Attr == b.Attr && a.Value.Equal(b.Value)
}

// each visits the keys by which two writes can stand in each other's way, with the
// condition where the row is only checked.
func (p *pending) each(visit func(store.Key, *store.Cond)) {
	for _, a := range p.fixed {
		visit(a.Item.Key, checkOf(a))
	}
	if p.write.Key != nil {
		visit(store.Key{PK: p.write.Key.Hash, SK: "IDEM"}, nil)
	}
}

func checkOf(a store.Action) *store.Cond {
	if a.Verb == store.Check {
		return a.If
	}
	return nil
}

// culprits answers the indexes of the writes whose conditions failed.
func (b batch) culprits(err error) map[int]bool {
	var cond *store.ConditionError
	if !errors.As(err, &cond) {
		return nil
	}
	bad := map[int]bool{}
	for _, label := range cond.Labels {
		owners, _, ok := strings.Cut(label, ":")
		for n := range strings.SplitSeq(owners, ",") {
			if i, perr := strconv.Atoi(n); ok && perr == nil && i < len(b.group) {
				bad[i] = true
			}
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
