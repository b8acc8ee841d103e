package directory

import (
	"context"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// MadeTenant is the answer of CreateTenant.
type MadeTenant struct {
	Tenant   tenant.Tenant
	AdminKey string // the text of its first key; empty in a replay
	commit.Outcome
}

// CreateTenant makes a tenant and its first key: a person's with role admin for
// all its workspaces (T.31). Only the root key may.
//
// The tenant's log begins with this change, so its commit is in a scope that
// does not exist before, where no earlier call with the same idempotency key
// could be found. With such a key the ids are therefore settled first, in the
// root key's scope; whatever breaks off after that, the call sent again goes on
// with the same ids.
func (s *Service) CreateTenant(ctx context.Context, by Caller, name string) (MadeTenant, error) {
	if !by.Principal.Can(capability.Root) {
		return MadeTenant{}, lacks(capability.Root)
	}
	var broken problems
	broken.label("/name", name, MaxName)
	if err := broken.err(); err != nil {
		return MadeTenant{}, err
	}
	ref, err := s.settle(ctx, by, reference{Tenant: s.IDs.New(), Key: s.IDs.New()})
	if err != nil {
		return MadeTenant{}, err
	}
	issued, err := s.Keys.Issue(firstKey(ref))
	if err != nil {
		return MadeTenant{}, err
	}
	scope := tenant.Grant(ref.Tenant, tenant.PlatformWorkspace)
	out, err := s.Commit.Do(ctx, by.write(scope, func(_ context.Context, op commit.Operation) (commit.Plan, error) {
		return planTenant(ref, name, issued, op.At.Truncate(time.Millisecond))
	}))
	if err != nil {
		return MadeTenant{}, err
	}
	if out.Replayed {
		t, err := s.Tenant(ctx, ref.Tenant)
		return MadeTenant{Tenant: t, Outcome: out}, err
	}
	made := tenant.Tenant{ID: ref.Tenant, Name: name, CreatedAt: out.At.Truncate(time.Millisecond)}
	return MadeTenant{Tenant: made, AdminKey: issued.Text, Outcome: out}, nil
}

// settle keeps the ids that a call with an idempotency key works with.
func (s *Service) settle(ctx context.Context, by Caller, ref reference) (reference, error) {
	if by.Key == nil {
		return ref, nil
	}
	out, err := s.Commit.Do(ctx, by.write(by.Scope, func(context.Context, commit.Operation) (commit.Plan, error) {
		result, err := ref.bytes()
		return commit.Plan{Result: result}, err
	}))
	if err != nil {
		return reference{}, err
	}
	return readReference(out.Result)
}

func firstKey(ref reference) apikey.Principal {
	all, _ := capability.Of(string(capability.RoleAdmin))
	return apikey.Principal{
		KeyID: ref.Key, TenantID: ref.Tenant, Kind: apikey.Person, Name: "admin",
		Role: string(capability.RoleAdmin), Capabilities: all, Purposes: []string{},
	}
}

func planTenant(ref reference, name string, issued apikey.Issued, now time.Time) (commit.Plan, error) {
	issued.Principal.CreatedAt = now
	actions, err := issued.Put()
	if err != nil {
		return commit.Plan{}, err
	}
	result, err := ref.bytes()
	row := tenantItem(tenant.Tenant{ID: ref.Tenant, Name: name, CreatedAt: now})
	return commit.Plan{
		Actions: append(actions, store.PutItem("tenant", row, store.IfAbsent())),
		Entries: []ledger.Entry{entry(ledger.Create, ref.Tenant, 1), entry(ledger.Create, ref.Key, 1)},
		Result:  result,
	}, err
}

// Tenant answers a tenant by its id.
func (s *Service) Tenant(ctx context.Context, tenantID string) (tenant.Tenant, error) {
	item, found, err := s.Store.Get(ctx, keys.Tenant(tenantID))
	if err != nil {
		return tenant.Tenant{}, errs.Unread(err)
	}
	if !found {
		return tenant.Tenant{}, errs.Missing()
	}
	return readTenant(tenantID, item.Attrs)
}
