package memory

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// succeed settles which of two values of an attribute is current: the one that is
// valid later (A0.2, R0.85). It either marks m as superseded already, or makes it
// current. It answers the other memories that changed: the one that m supersedes and
// those that m cuts short. Their rows are in the plan, their log rows are not.
func (c *change) succeed(ctx context.Context, m *Memory, row *currentValue) ([]*Memory, error) {
	if m.Status == Superseded {
		return c.rejoin(ctx, m, row)
	}
	old, err := c.holder(ctx, row)
	if err != nil {
		return nil, err
	}
	if old != nil && old.Stretch != m.Stretch {
		old = nil // said in an earlier stretch of the run, which ends by itself
	}
	if old != nil && c.isOlder(m, old) {
		return c.arriveLate(ctx, m, old, row)
	}
	changed, err := c.cutShort(ctx, m, row)
	if err != nil {
		return nil, err
	}
	row.id = m.ID
	if old != nil {
		next, err := c.replaceValue(ctx, old, m, row)
		if err != nil {
			return nil, err
		}
		changed = append([]*Memory{next}, changed...)
	}
	return changed, c.save(row)
}

// replaceValue marks the current value as superseded by m.
func (c *change) replaceValue(ctx context.Context, old, m *Memory, row *currentValue) (*Memory, error) {
	next, err := c.retire(ctx, old, m)
	if err == nil && !c.isOver(old) {
		row.add(next)
	}
	return next, err
}

// retire plans that old is superseded by m, but for look-up rows of values and its
// log row.
func (c *change) retire(ctx context.Context, old, m *Memory) (*Memory, error) {
	next := old.clone()
	next.supersede(c.since(old), m.ID, m.Temporal.EventTime())
	next.UpdatedAt = *next.Temporal.SupersededAt
	if err := c.mergeable(ctx, old, false); err != nil {
		return nil, err
	}
	c.chain(m.ID, old.ID)
	return next, c.head("superseded-"+old.ID, next, old.Revision)
}

// arriveLate marks m as superseded by its successor in time, which the current value
// need not be.
func (c *change) arriveLate(ctx context.Context, m, current *Memory, row *currentValue) ([]*Memory, error) {
	id, from := current.ID, current.Temporal.EventTime()
	if c.isOver(m) { // nobody knows when it began
		m.supersede(c.at, id, from)
		c.chain(id, m.ID)
		c.check("attribute", row.key, row.unchanged)
		return nil, nil
	}
	if next := row.next(m.Temporal.EventTime()); next != nil && next.From.Before(from) {
		id, from = next.ID, next.From
	}
	m.supersede(c.at, id, from)
	c.chain(id, m.ID)
	changed, err := c.cutShort(ctx, m, row)
	if err != nil {
		return nil, err
	}
	row.add(m)
	return changed, c.save(row)
}

// rejoin gives a superseded memory its place back after a quarantine: what was
// superseded stays so. Values that came meanwhile may cut it short.
func (c *change) rejoin(ctx context.Context, m *Memory, row *currentValue) ([]*Memory, error) {
	current, err := c.holder(ctx, row)
	if err != nil || c.isOver(m) || m.Temporal.ReplacedFrom == nil {
		return nil, err
	}
	start := m.Temporal.EventTime()
	if next := row.next(start); next != nil && next.From.Before(*m.Temporal.ReplacedFrom) {
		m.Temporal.narrow(c.at, next.From)
	}
	if current != nil && start.Before(current.Temporal.EventTime()) &&
		current.Temporal.EventTime().Before(*m.Temporal.ReplacedFrom) {
		m.Temporal.narrow(c.at, current.Temporal.EventTime())
	}
	changed, err := c.cutShort(ctx, m, row)
	if err != nil {
		return nil, err
	}
	row.add(m)
	return changed, c.save(row)
}

// mostCut bounds the values that one write cuts short. Of values in a row there is
// one; more overlap only where the current value was deleted and the attribute
// began anew.
const mostCut = 8

// cutShort ends superseded values at the start of m, which came between them and
// what was known to follow (R0.85). What is over cuts none: nobody knows when it began.
func (c *change) cutShort(ctx context.Context, m *Memory, row *currentValue) ([]*Memory, error) {
	if c.isOver(m) {
		return nil, nil
	}
	start := m.Temporal.EventTime()
	var at []int // places in row.past, the latest first
	var list []string
	for i := len(row.past) - 1; i >= 0 && len(at) < mostCut; i-- {
		if p := row.past[i]; !start.Before(p.From) && start.Before(p.To) {
			at, list = append(at, i), append(list, p.ID)
		}
	}
	heads, err := loadHeads(ctx, c.store, c.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var changed []*Memory
	for n, old := range heads {
		if old == nil || old.Status != Superseded {
			continue
		}
		next := old.clone()
		next.UpdatedAt = c.since(old)
		next.Temporal.narrow(next.UpdatedAt, start)
		row.past[at[n]].To = start
		if err := c.head("cut-"+old.ID, next, old.Revision); err != nil {
			return nil, err
		}
		changed = append(changed, next)
	}
	return changed, nil
}

// chain writes the edge from a memory to one that it superseded.
func (c *change) chain(id, superseded string) {
	c.put("chain-"+superseded, store.Item{Key: keys.Superseded(c.Scope, id, superseded), Attrs: store.Attrs{}}, nil)
}

// isOlder tells whether m's value was valid before old's. Where neither says a
// time, one that is being written now is the later one, whatever the clocks of two
// processes say. What is over without having said when it began is history beside a
// value that is not.
func (c *change) isOlder(m, old *Memory) bool {
	if c.isOver(m) && !old.expired(c.at) || c.isOver(old) && !m.expired(c.at) {
		return c.isOver(m)
	}
	undated := m.Temporal.ValidFrom == nil && old.Temporal.ValidFrom == nil
	if undated && m.Temporal.RecordedAt.Equal(c.at) {
		return false
	}
	return m.Temporal.EventTime().Before(old.Temporal.EventTime())
}

// isOver tells a value that has ended in the world and does not say when it began.
func (c *change) isOver(m *Memory) bool { return m.Temporal.ValidFrom == nil && m.expired(c.at) }

// since is the write's recorded time, or that of m's last change when it is later.
func (c *change) since(m *Memory) time.Time {
	if c.at.Before(m.UpdatedAt) {
		return m.UpdatedAt
	}
	return c.at
}

// holder is the active memory that an attribute row names.
func (c *change) holder(ctx context.Context, row *currentValue) (*Memory, error) {
	if row.id == "" {
		return nil, nil
	}
	old, err := Head(ctx, c.store, c.Scope, row.id)
	if err != nil || old == nil || old.Status != Active {
		return nil, errs.Unread(err)
	}
	return old, nil
}

// supersede marks m as replaced since a recorded time by another, whose value began
// at from.
func (m *Memory) supersede(at time.Time, by string, from time.Time) {
	m.Status = Superseded
	m.Temporal.SupersededAt, m.Temporal.SupersededBy, m.Temporal.ReplacedFrom = &at, by, &from
}

// readCurrent reads the row of m's attribute; nil where it has none.
func (c *change) readCurrent(ctx context.Context, m *Memory) (*currentValue, error) {
	if m.Attribute == "" {
		return nil, nil
	}
	key := keys.Attribute(c.Scope, c.hash.attribute(m))
	item, found, err := c.store.Get(ctx, key)
	if err != nil {
		return nil, errs.Unread(err)
	}
	if !found {
		return decodeCurrent(key, nil)
	}
	return decodeCurrent(key, &item)
}

// vacate takes a memory out of the row of its attribute, when it is no longer its
// current value or one of those before. What it superseded stays superseded.
func (c *change) vacate(ctx context.Context, m *Memory) error {
	row, err := c.readCurrent(ctx, m)
	if err != nil || row == nil || !row.drop(m.ID) {
		return err
	}
	return c.save(row)
}
