package directory

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Family is the name of tenants, workspaces and keys in log rows (T.51).
const Family = "platform"

// Options are what a Service needs.
type Options struct {
	Store  store.Store
	Commit commit.Doer
	Keys   *apikey.Service
	IDs    *ids.Source
	Random io.Reader // of workspaces' secrets; nil: crypto/rand
}

// Service keeps tenants, workspaces and keys. It is safe for concurrent use.
type Service struct {
	Options
	changed func(tenantID, workspaceID string) // hears of changed workspaces; nil: nobody
}

// New makes a Service.
func New(o Options) *Service {
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return &Service{Options: o}
}

// Caller is who asks for a change.
type Caller struct {
	Principal apikey.Principal
	// Scope is the tenant's own; for the root key one that stands for its holder,
	// where the idempotency records of making tenants live.
	Scope tenant.Scope
	Key   *idem.Key // nil: the call carried no Idempotency-Key
}

// admin refuses callers who may not administer their tenant.
func (c Caller) admin() error {
	if !c.Principal.Can(capability.Admin) {
		return lacks(capability.Admin)
	}
	if c.Principal.Role != string(capability.RoleAdmin) {
		e := lacks(capability.Admin)
		e.Public = "This call needs a person's key with the role admin."
		e.Extra["role"] = string(capability.RoleAdmin)
		return e
	}
	return nil
}

func lacks(name capability.Name) *errs.Error {
	e := errs.New(errs.Forbidden, "CAPABILITY_MISSING", "This key lacks the capability that the call needs.")
	e.Extra = map[string]any{"capability": string(name)}
	return e
}

// write is the commit that a change of the directory asks for.
func (c Caller) write(scope tenant.Scope, plan func(context.Context, commit.Operation) (commit.Plan, error)) commit.Write {
	return commit.Write{Scope: scope, Actor: c.Principal.Actor(), Kind: ledger.AdminReceipt, Key: c.Key, Plan: plan}
}

// entry is a log row's part about one thing of the directory.
func entry(op ledger.Op, id string, version int64) ledger.Entry {
	return ledger.Entry{Op: op, Family: Family, ItemID: id, Version: version}
}

// reference is what a replay answers from: ids and a version.
type reference struct {
	Tenant    string `json:"tenantId,omitempty"`
	Workspace string `json:"workspaceId,omitempty"`
	Key       string `json:"keyId,omitempty"`
	Version   int64  `json:"version,omitempty"`
}

func (r reference) bytes() ([]byte, error) { return json.Marshal(r) }

func readReference(result []byte) (reference, error) {
	var r reference
	if err := json.Unmarshal(result, &r); err != nil {
		return r, fmt.Errorf("directory: reference of an operation: %w", err)
	}
	return r, nil
}
