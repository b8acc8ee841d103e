package httpapi

import (
	"holdfast/internal/apikey"
	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/routes"
	"holdfast/internal/runtoken"
	"holdfast/internal/tenant"
)

// Call is what an endpoint knows of the request beside its input.
type Call struct {
	Route     routes.Route
	Principal apikey.Principal // zero on Open routes
	// Scope is the workspace of the call; on routes that act on the tenant its own
	// scope (T.57), on routes of the root key RootScope, on Open routes zero.
	Scope       tenant.Scope
	Workspace   tenant.Workspace // zero without a workspace
	Run         runtoken.Run     // zero but with RunAccess
	RequestID   string
	Body        []byte    // as sent; read only
	Key         *idem.Key // nil: no Idempotency-Key
	IfMatch     string    // as sent, well formed; empty: none
	IfNoneMatch string
	Cursors     *Cursors

	places Workspaces
}

// rootTenant stands for the holder of the root key, who is in no tenant. It is no
// UUID, so no tenant can have it.
const rootTenant = "root"

// RootScope is the scope of calls of the root key: what such a call remembers
// before a tenant exists (its idempotency record) lives there.
func RootScope() tenant.Scope { return tenant.Grant(rootTenant, tenant.PlatformWorkspace) }

// Actor is how log rows and receipts name the caller.
func (c *Call) Actor() ledger.Actor { return c.Principal.Actor() }

// AllowsVersion tells whether If-Match lets a change of this version go on: it
// is absent, "*", or names the version (T.16).
func (c *Call) AllowsVersion(version int64) bool { return c.AllowsTag(VersionTag(version)) }

// AllowsTag is AllowsVersion for entity tags that are no version.
func (c *Call) AllowsTag(tag string) bool {
	if c.IfMatch == "" {
		return true
	}
	tags, ok := ParseTags(c.IfMatch)
	return ok && tags.Strong(tag)
}

// KnowsVersion tells whether If-None-Match names the version, so that a read
// answers 304 (R0.60).
func (c *Call) KnowsVersion(version int64) bool { return c.KnowsTag(VersionTag(version)) }

// KnowsTag is KnowsVersion for entity tags that are no version.
func (c *Call) KnowsTag(tag string) bool {
	if c.IfNoneMatch == "" {
		return false
	}
	tags, ok := ParseTags(c.IfNoneMatch)
	return ok && tags.Weak(tag)
}
