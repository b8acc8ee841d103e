package memory

import (
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// shareWithTenant writes the rows that show a memory of layer Tenant to the other
// workspaces of its tenant. One that may never be left out (R0.24) has a second
// row, so that a retrieve reads the floors alone.
func (c *change) shareWithTenant(m *Memory) {
	if m.Layer != Tenant {
		return
	}
	row := tenantItem(c.Scope, m)
	c.put("tenant", row, nil)
	if m.Type == Policy && m.NonNegotiable {
		c.put("floor", store.Item{Key: keys.TenantFloor(c.Scope.TenantID(), m.ID), Attrs: row.Attrs}, nil)
	}
}

// unshare removes them.
func (c *change) unshare(m *Memory) {
	if m.Layer != Tenant {
		return
	}
	c.remove("tenant", keys.TenantMemory(c.Scope.TenantID(), m.ID))
	if m.Type == Policy && m.NonNegotiable {
		c.remove("floor", keys.TenantFloor(c.Scope.TenantID(), m.ID))
	}
}
