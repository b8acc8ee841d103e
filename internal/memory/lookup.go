package memory

import (
	"context"

	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// look is what the table knows of a text before it is stored: one read.
type look struct {
	rejected   store.Key // where a rejection of the value lies
	isRejected bool
	exact      string        // hash of the text
	duplicates *duplicateRow // of its words; in the change too
	current    *currentValue // nil: the memory has no attribute
	claim      claimed       // what it says where it has none
	run        runRows
}

func (c *change) look(ctx context.Context, a *addition, m *Memory) (look, error) {
	out := look{rejected: keys.Rejected(c.Scope, c.hash.rejected(m, a.forms)), exact: c.hash.exact(a.forms)}
	at := []store.Key{out.rejected, keys.Duplicate(c.Scope, c.hash.duplicate(m, a.forms))}
	if m.Attribute != "" {
		at = append(at, keys.Attribute(c.Scope, c.hash.attribute(m)))
	}
	out.claim = a.claim
	others := len(at)
	at = append(at, c.claimKeys(m, out.claim)...)
	runAt := len(at)
	at = append(at, c.runKeys(m)...)
	items, err := c.store.GetMany(ctx, at)
	if err != nil {
		return look{}, errs.Unread(err)
	}
	out.isRejected = items[0] != nil
	out.duplicates = &duplicateRow{key: at[1]}
	if items[1] != nil {
		out.duplicates = decodeDuplicates(*items[1])
	}
	c.dups = append(c.dups, out.duplicates)
	c.knowRows(at[others:runAt], items[others:runAt])
	if m.Attribute != "" {
		out.current, err = decodeCurrent(at[2], items[2])
	}
	out.run = items[runAt:]
	return out, err
}

// admit refuses a rejected value, unless a person with memory:review writes it
// again, which lifts the rejection (A0.5, R0.85). A value that is not rejected
// must not become so before the commit.
func (c *change) admit(at store.Key, rejected bool) error {
	switch {
	case !rejected:
		c.check("rejected", at, store.IfAbsent())
	case c.Caller.mayLift():
		c.remove("rejected", at)
	default:
		return errs.New(errs.Conflict, rejectedCode,
			"A person has rejected this value; only a reviewer may write it again.")
	}
	return nil
}

const rejectedCode = "REJECTED_VALUE"

// twin finds the memory that m may join: one whose text is the same but for case,
// composition and white space, else the newest with the same words. Those that may
// not take it in are passed over; a full row forgets those that never will. What the
// service made replaces no text, so it may join what is trusted more.
func (c *change) twin(ctx context.Context, m *Memory, look look) (old *Memory, same bool, err error) {
	row := look.duplicates
	if len(row.entries) == 0 {
		return nil, false, nil
	}
	ids := make([]string, len(row.entries))
	for i, e := range row.entries {
		ids[i] = e.id
	}
	heads, err := loadHeads(ctx, c.store, c.Scope, ids)
	if err != nil {
		return nil, false, errs.Unread(err)
	}
	for i := len(heads) - 1; i >= 0; i-- {
		h, equal := heads[i], row.entries[i].exact == look.exact
		if h == nil || !c.takes(h, m, equal || m.Parts != nil) {
			continue
		}
		if equal {
			return h, true, nil
		}
		if old == nil {
			old = h
		}
	}
	if len(heads) >= mostSameKey {
		c.prune(row, heads)
	}
	return old, false, nil
}

// prune makes room in a row for another memory: what is over takes none in.
func (c *change) prune(row *duplicateRow, heads []*Memory) {
	entries := row.entries
	for i, h := range heads {
		if h == nil || h.Status != Active || h.expired(c.at) {
			row.remove(entries[i].id)
		}
	}
}

// alike tells whether the cosine of two texts with the same words reaches the
// workspace's threshold. Without an answer of the model both live.
func (c *change) alike(ctx context.Context, e *embeddings, old, m *Memory) bool {
	vectors, ok := e.of(ctx, m.Content, old.Content)
	return ok && embed.Cosine(vectors[0], vectors[1]) >= c.Workspace.Settings.MergeThreshold
}
