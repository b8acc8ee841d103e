package memory

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// currentValue is the row that names the current value of an attribute.
type currentValue struct {
	key store.Key
	id  string // empty: there is none yet
}

func decodeCurrent(key store.Key, item *store.Item) *currentValue {
	row := &currentValue{key: key}
	if item != nil {
		row.id = item.Attrs.Text(attrID)
	}
	return row
}

// unchanged is the condition that the row still says what was read.
func (v *currentValue) unchanged() *store.Cond {
	if v.id == "" {
		return store.IfAbsent()
	}
	return store.IfEqual(attrID, store.S(v.id))
}

// succeed settles which of two values of an attribute is current: the one that is
// valid later (A0.2, R0.85). It either marks m as superseded already, or makes it
// current and answers the memory that it supersedes, nil where there is none. The
// superseded one's rows are in the plan, its log row is not.
func (c *change) succeed(ctx context.Context, m *Memory, row *currentValue) (*Memory, error) {
	old, err := c.holder(ctx, row)
	if err != nil {
		return nil, err
	}
	if old != nil && c.isOlder(m, old) {
		c.check("attribute", row.key, row.unchanged())
		m.supersede(c.at, old)
		return nil, nil
	}
	item := store.Item{Key: row.key, Attrs: store.Attrs{attrID: store.S(m.ID)}}
	c.put("attribute", item, row.unchanged())
	if old == nil {
		return nil, nil
	}
	next := old.clone()
	next.supersede(c.at, m)
	next.UpdatedAt = c.at
	if err := c.mergeable(ctx, old, false); err != nil {
		return nil, err
	}
	return next, c.head("superseded", next, old.Revision)
}

// isOlder tells whether m's value was valid before old's. Where neither says a
// time, one that is being written now is the later one, whatever the clocks of two
// processes say.
func (c *change) isOlder(m, old *Memory) bool {
	undated := m.Temporal.ValidFrom == nil && old.Temporal.ValidFrom == nil
	if undated && m.Temporal.RecordedAt.Equal(c.at) {
		return false
	}
	return m.Temporal.EventTime().Before(old.Temporal.EventTime())
}

// holder is the active memory that an attribute row names.
func (c *change) holder(ctx context.Context, row *currentValue) (*Memory, error) {
	if row.id == "" {
		return nil, nil
	}
	old, err := Head(ctx, c.store, c.Scope, row.id)
	if err != nil || old == nil || old.Status != Active {
		return nil, unread(err)
	}
	return old, nil
}

// supersede marks m as replaced by another since a recorded time.
func (m *Memory) supersede(at time.Time, by *Memory) {
	from := by.Temporal.EventTime()
	m.Status = Superseded
	m.Temporal.SupersededAt, m.Temporal.SupersededBy, m.Temporal.ReplacedFrom = &at, by.ID, &from
}

// readCurrent reads the row of m's attribute; nil where it has none.
func (c *change) readCurrent(ctx context.Context, m *Memory) (*currentValue, error) {
	if m.Attribute == "" {
		return nil, nil
	}
	key := keys.Attribute(c.Scope, c.hash.attribute(m))
	item, found, err := c.store.Get(ctx, key)
	if err != nil {
		return nil, unread(err)
	}
	if !found {
		return decodeCurrent(key, nil), nil
	}
	return decodeCurrent(key, &item), nil
}
