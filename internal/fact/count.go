package fact

import (
	"context"
	"hash/fnv"
	"strconv"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// countParts is over how many rows the number of a memory's facts is spread, so that
// writes of one agent meet at none and fit one transaction.
const countParts = 8

// count is how many facts a memory holds. A part may be negative, the sum is right:
// an erased user's facts are taken off one part together.
type count struct {
	total int64
	parts [countParts]*int64 // nil: no row
}

func (s *Service) count(ctx context.Context, t Target) (count, error) {
	var c count
	page, err := s.Store.Query(ctx, store.Query{PK: keys.FactCountPK(t.Scope, t.Space.hash)})
	if err != nil {
		return count{}, errs.Unread(err)
	}
	for _, item := range page.Items {
		part, err := strconv.Atoi(item.Key.SK)
		if err != nil || part < 0 || part >= countParts {
			continue
		}
		n := item.Attrs.Int(attrFacts)
		c.parts[part] = &n
		c.total += n
	}
	return c, nil
}

// found tells a memory that was written before.
func (c count) found() bool {
	for _, n := range c.parts {
		if n != nil {
			return true
		}
	}
	return false
}

// part spreads facts by their ids.
func part(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return int(h.Sum32() % countParts)
}

func (c *change) counted(part int, n int64, cond *store.Cond) {
	c.plan.Actions = append(c.plan.Actions,
		store.AddTo("count"+strconv.Itoa(part), keys.FactCount(c.Scope, c.Space.hash, part), map[string]int64{attrFacts: n}, cond))
}

// admit counts one more fact, or refuses it (S3.38). Far from the limit a write asks
// for its own part only; near it for all of them, so that the limit is exact.
func (c *change) admit(n count, id string, most int64) error {
	if n.total >= most {
		return errs.New(errs.Conflict, "MEMORY_FULL", "This agent's memory holds as many facts as it may; delete some or replace one.")
	}
	own := part(id)
	if n.total < most-max(most/near, 1) {
		c.counted(own, 1, nil)
		return nil
	}
	for i, value := range n.parts {
		cond := store.IfAbsent()
		if value != nil {
			cond = store.IfEqual(attrFacts, store.N(*value))
		}
		if i == own {
			c.counted(own, 1, cond)
			continue
		}
		c.check("count"+strconv.Itoa(i), keys.FactCount(c.Scope, c.Space.hash, i), cond)
	}
	return nil
}

// near is the part of the limit in which it is exact: the last twentieth is more than
// what can be on its way at once.
const near = 20
