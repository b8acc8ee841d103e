// Package capability names what a key may do (T.35): names, sets, roles.
package capability

import "slices"

// Name is one capability.
type Name string

// The capabilities of T.35.
const (
	MemoryAppend      Name = "memory:append"
	MemoryRead        Name = "memory:read"
	MemoryUpdate      Name = "memory:update"
	MemoryDelete      Name = "memory:delete"
	MemoryConsolidate Name = "memory:consolidate"
	MemoryReview      Name = "memory:review"
	MemoryShare       Name = "memory:share"
	MemoryEvaluate    Name = "memory:evaluate"
	MemoryTenant      Name = "memory:tenant"
	MemoriesRead      Name = "memories:read"
	MemoriesWrite     Name = "memories:write"
	MemoriesDelete    Name = "memories:delete"
	Context           Name = "context"
	AgentMemory       Name = "agent_memory"
	AgentMemoryWrite  Name = "agent_memory:write"
	AgentApprove      Name = "agent_memory:approve"
	FactsRun          Name = "facts:run"
	FactsPanel        Name = "facts:panel"
	Export            Name = "export"
	Erase             Name = "erase"
	Webhooks          Name = "webhooks"
	Receipts          Name = "receipts"
	Admin             Name = "admin"
)

// Root is held by the root key alone (T.6); it is no name that a key can be given.
const Root Name = "root"

var all = []Name{
	MemoryAppend, MemoryRead, MemoryUpdate, MemoryDelete, MemoryConsolidate, MemoryReview,
	MemoryShare, MemoryEvaluate, MemoryTenant, MemoriesRead, MemoriesWrite, MemoriesDelete,
	Context, AgentMemory, AgentMemoryWrite, AgentApprove, FactsRun, FactsPanel,
	Export, Erase, Webhooks, Receipts, Admin,
}

// All lists every capability in the order of T.35.
func All() []Name { return slices.Clone(all) }

// Known tells whether a key can be given this name.
func Known(name string) bool { return slices.Contains(all, Name(name)) }

// AgentDefault is what an agent's key has when none are given (T.35).
func AgentDefault() []Name {
	return []Name{
		MemoryAppend, MemoryRead, MemoryUpdate, MemoryDelete, MemoryConsolidate,
		MemoriesRead, MemoriesWrite, MemoriesDelete, Context, FactsRun,
	}
}

// Role is a named set of capabilities; only persons' keys have one.
type Role string

// The two roles of T.3.
const (
	RoleIntegration Role = "integration"
	RoleAdmin       Role = "admin"
)

// Of answers a role's capabilities; false for a name that is no role.
func Of(role string) ([]Name, bool) {
	switch Role(role) {
	case RoleAdmin:
		return All(), true
	case RoleIntegration:
		return slices.DeleteFunc(All(), func(n Name) bool {
			return slices.Contains([]Name{MemoryTenant, Export, Erase, Admin, AgentApprove}, n)
		}), true
	}
	return nil, false
}
