package apikey

import (
	"slices"
	"time"

	"holdfast/internal/capability"
	"holdfast/internal/ledger"
)

// The kinds of principals.
const (
	Agent  = "agent"
	Person = "person"
	Root   = "root"
)

// RootID is the key id of the root key.
const RootID = "root"

// Principal is a key without its secret: who calls and what they may do. The
// slices of a Principal that Authenticate answered are shared and must not be
// changed.
type Principal struct {
	KeyID        string // UUIDv7; RootID for the root key
	TenantID     string // empty for the root key
	Kind         string // Agent, Person or Root
	Name         string // empty: none
	Role         string // of a person; empty: none
	Capabilities []capability.Name
	Workspaces   []string // nil: all of the tenant
	SourceID     string   // of an agent
	Vendor       string   // of an agent; empty: none
	Purposes     []string // of an agent
	ExpiresAt    *time.Time
	CreatedAt    time.Time
}

// Can tells whether the key has a capability. The root key has only
// capability.Root, which no other key can have.
func (p Principal) Can(c capability.Name) bool {
	if p.Kind == Root || c == capability.Root {
		return p.Kind == Root && c == capability.Root
	}
	return slices.Contains(p.Capabilities, c)
}

// May tells whether the key's list of workspaces allows one; whether its tenant
// has that workspace is not asked here.
func (p Principal) May(workspaceID string) bool {
	if p.Kind == Root || workspaceID == "" {
		return false
	}
	return p.Workspaces == nil || slices.Contains(p.Workspaces, workspaceID)
}

// Covers tells whether everything within another key's list of workspaces is
// within this one's: what a limited administrator may hand out or take back.
func (p Principal) Covers(workspaces []string) bool {
	if p.Workspaces == nil {
		return p.Kind != Root
	}
	if workspaces == nil {
		return false
	}
	return !slices.ContainsFunc(workspaces, func(id string) bool { return !p.May(id) })
}

// Actor is how the log names this key.
func (p Principal) Actor() ledger.Actor {
	return ledger.Actor{KeyID: p.KeyID, Kind: p.Kind, SourceID: p.SourceID}
}

// expired tells whether the key's time is over: the instant of ExpiresAt is the
// first at which it is refused.
func (p Principal) expired(now time.Time) bool {
	return p.ExpiresAt != nil && !now.Before(*p.ExpiresAt)
}

func root() Principal {
	return Principal{KeyID: RootID, Kind: Root, Capabilities: []capability.Name{capability.Root}}
}
