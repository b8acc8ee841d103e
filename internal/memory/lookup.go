package memory

import (
	"context"

	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/store/keys"
)

// look is what the table knows of a text before it is stored: one read.
type look struct {
	rejected   []refusal     // where a rejection of the value lies, or would
	exact      string        // hash of the text
	duplicates *duplicateRow // of its words; in the change too
	current    *currentValue // nil: the memory has no attribute
	claim      claimed       // what it says where it has none
	run        runRows
}

func (c *change) look(ctx context.Context, a *addition, m *Memory) (look, error) {
	out := look{exact: c.hash.exact(a.forms)}
	at := c.hash.refusals(c.Scope, m, a.forms, c.at)
	duplicateAt := len(at)
	at = append(at, keys.Duplicate(c.Scope, c.hash.duplicate(m, a.forms)))
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
	out.rejected = found(at[:duplicateAt], items)
	out.duplicates = &duplicateRow{key: at[duplicateAt]}
	if row := items[duplicateAt]; row != nil {
		out.duplicates = decodeDuplicates(*row)
	}
	c.dups = append(c.dups, out.duplicates)
	c.knowRows(at[others:runAt], items[others:runAt])
	if m.Attribute != "" {
		out.current, err = decodeCurrent(at[duplicateAt+1], items[duplicateAt+1])
	}
	out.run = items[runAt:]
	return out, err
}

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
