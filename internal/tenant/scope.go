// Package tenant holds what a caller acts in: the Scope (tenant and workspace)
// that key builders and search filters take, and the types of tenants,
// workspaces and their settings. It does no input or output: the service over
// the store is internal/tenant/directory, so that store/keys can take a Scope
// without an import cycle.
package tenant

// Scope is a tenant and one of its workspaces. Its fields are unexported, so
// that a forgotten tenant does not compile; internal/archtest holds the list of
// packages that may call Grant (those that authenticate, or that read a scope
// back from a row or message which an authenticated call wrote).
type Scope struct {
	tenant, workspace string
}

// Grant makes a scope. Only authentication and readers of committed rows call it.
func Grant(tenantID, workspaceID string) Scope {
	return Scope{tenant: tenantID, workspace: workspaceID}
}

// TenantID is the organization's id.
func (s Scope) TenantID() string { return s.tenant }

// WorkspaceID is the workspace's id; PlatformWorkspace for the tenant's own log.
func (s Scope) WorkspaceID() string { return s.workspace }

// Own is the scope of the tenant's own log (T.57), which is no workspace.
func (s Scope) Own() Scope { return Scope{tenant: s.tenant, workspace: PlatformWorkspace} }

// Past is the index partition of the scope's earlier texts, apart from the current
// ones so that these rank by their own statistics. It is no workspace.
func (s Scope) Past() Scope { return Scope{tenant: s.tenant, workspace: s.workspace + pastSuffix} }

const pastSuffix = ".past"

// Sibling is another workspace of the same tenant. It is used only for rows that the
// tenant itself shares (R0.66: memories of layer Tenant) and for what was shared from
// one workspace to another (R0.80), which erasure must find.
func (s Scope) Sibling(workspaceID string) Scope {
	return Scope{tenant: s.tenant, workspace: workspaceID}
}

// IsZero tells a scope that nobody granted.
func (s Scope) IsZero() bool { return s.tenant == "" || s.workspace == "" }

// PlatformWorkspace stands in keys where the tenant's own log lives. It is no
// UUID, so no workspace can have it.
const PlatformWorkspace = "own"
