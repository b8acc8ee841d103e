package memory

import (
	"context"

	"holdfast/internal/claim"
	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// claimed is what a text without an attribute says (A0.2).
type claimed struct {
	claim.Claim
	ok bool // it says something that rules can tell
}

// claimedBy reads what m says. Only what may contradict each other is read: facts,
// decisions and preferences.
func claimedBy(m *Memory) claimed {
	switch m.Type {
	case Fact, Decision, Preference:
	default:
		return claimed{}
	}
	if m.Attribute != "" {
		return claimed{}
	}
	said, ok := claim.Read(m.Content)
	return claimed{said, ok}
}

// claimKeys are the rows that matter to m: the one it is kept in, then those of what
// it may replace.
func (c *change) claimKeys(m *Memory, said claimed) []store.Key {
	if !said.ok {
		return nil
	}
	out := []store.Key{c.claimKey(m, said.Key())}
	for _, name := range said.Closes() {
		if key := c.claimKey(m, name); key != out[0] {
			out = append(out, key)
		}
	}
	return out
}

func (c *change) claimKey(m *Memory, name string) store.Key {
	return keys.Claim(c.Scope, c.hash.claim(m, name))
}

// knowRows keeps rows that a batched read brought.
func (c *change) knowRows(at []store.Key, items []*store.Item) {
	for i, item := range items {
		row := &duplicateRow{key: at[i]}
		if item != nil {
			row = decodeDuplicates(*item)
		}
		c.dups = append(c.dups, row)
	}
}

// replaceable puts m into the row of what it claims, or takes it out.
func (c *change) replaceable(ctx context.Context, m *Memory, said claimed, on bool) error {
	if !said.ok {
		return nil
	}
	row, err := c.row(ctx, c.claimKey(m, said.Key()))
	if err != nil {
		return err
	}
	if on {
		row.add(m.ID, "")
	} else {
		row.remove(m.ID)
	}
	return nil
}

// settled settles what m says against what was said before: it may supersede that,
// or be superseded already. The rows of others that changed are in the plan, their
// log rows are not.
func (c *change) settled(ctx context.Context, m *Memory, row *currentValue, said claimed) ([]*Memory, error) {
	if row == nil {
		return c.replaces(ctx, m, said)
	}
	return c.succeed(ctx, m, row)
}

// replaces supersedes what m says to be over. Of two claims of which one says that
// something changed, the one valid later is current (R0.85); without such a word
// both stay, as they do where the later one is trusted less, or where m is not yet
// true or only for a time.
func (c *change) replaces(ctx context.Context, m *Memory, said claimed) ([]*Memory, error) {
	if !said.ok || m.Status != Active || m.Temporal.ValidTo != nil || c.isFuture(m) || !said.Change && m.Temporal.ValidFrom == nil && m.Temporal.RecordedAt.Equal(c.at) {
		return nil, nil
	}
	holders, err := c.holders(ctx, m, said)
	if err != nil {
		return nil, err
	}
	var over []*Memory
	var next *Memory // the first of those that are valid later than m
	for _, h := range holders {
		switch older := c.isOlder(m, h.Memory); {
		case older && h.Trust() >= m.Trust():
			if next == nil || h.Temporal.EventTime().Before(next.Temporal.EventTime()) {
				next = h.Memory
			}
		case !older && h.closed && m.Trust() >= h.Trust():
			over = append(over, h.Memory)
		}
	}
	if next != nil {
		c.check("successor", keys.Memory(c.Scope, next.ID), store.IfEqual(attrRevision, store.N(next.Revision)))
		m.supersede(c.at, next.ID, next.Temporal.EventTime())
		c.chain(next.ID, m.ID)
		return nil, nil
	}
	return c.retireAll(ctx, over, m)
}

func (c *change) retireAll(ctx context.Context, over []*Memory, m *Memory) ([]*Memory, error) {
	var out []*Memory
	if first := len(over) - mostSameKey; first > 0 {
		over = over[first:]
	}
	for _, h := range over {
		next, err := c.retire(ctx, h, m)
		if err != nil {
			return nil, err
		}
		out = append(out, next)
	}
	return out, nil
}

// claimHolder is an active memory that contradicts another: about the same, with another
// value, and one of the two says that something changed.
type claimHolder struct {
	*Memory
	closed bool // the other says so
}

func (c *change) holders(ctx context.Context, m *Memory, said claimed) ([]claimHolder, error) {
	var list []string
	for _, key := range c.claimKeys(m, said) {
		row, err := c.row(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, e := range row.entries {
			if e.id != m.ID {
				list = append(list, e.id)
			}
		}
	}
	found, err := Load(ctx, c.store, c.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var out []claimHolder
	for _, h := range found {
		if h == nil || h.Status != Active || h.Stretch != m.Stretch || c.isFuture(h) {
			continue
		}
		theirs := claimedBy(h)
		closed := theirs.ok && said.Replaces(theirs.Claim)
		if closed || theirs.ok && theirs.Replaces(said.Claim) {
			out = append(out, claimHolder{h, closed})
		}
	}
	return out, nil
}

// isFuture tells what is not yet true.
func (c *change) isFuture(m *Memory) bool {
	return m.Temporal.ValidFrom != nil && m.Temporal.ValidFrom.After(c.at)
}
