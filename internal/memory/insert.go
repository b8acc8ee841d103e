package memory

import (
	"strconv"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// insert writes the rows of a new memory but for vector and look-ups, and its log
// row.
func (c *change) insert(m *Memory, op ledger.Op) error {
	c.plan.Items++
	c.grow(m, size(m))
	if err := c.head("head", m, 0); err != nil {
		return err
	}
	c.put("list", listItem(c.Scope, m), nil)
	for i, key := range c.subjectKeys(m) {
		c.put("subject"+strconv.Itoa(i), store.Item{Key: key, Attrs: store.Attrs{}}, nil)
	}
	if m.RunID != "" {
		c.put("run", c.runEntry(m), nil)
	}
	c.shareWithTenant(m)
	c.edges(m, c.edged)
	return c.log(op, m, m.Indexed())
}

// subjectKeys are the rows that list a memory under the members of its subject.
func (c *change) subjectKeys(m *Memory) []store.Key {
	var out []store.Key
	for _, hash := range c.hash.Subject(m.Subject) {
		out = append(out, keys.Subject(c.Scope, hash, Family, m.ID))
	}
	return out
}
