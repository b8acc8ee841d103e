package app

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/tenant"
	"holdfast/internal/tenant/directory"
)

// RootCaller acts with the root key: for what an entry point sets up at its first
// start.
func (a *App) RootCaller(ctx context.Context) (directory.Caller, error) {
	p, err := a.Keys.Authenticate(ctx, a.rootKey)
	return directory.Caller{Principal: p, Scope: httpapi.RootScope()}, err
}

// AdminCaller acts with an administrator's key.
func (a *App) AdminCaller(ctx context.Context, key string) (directory.Caller, error) {
	p, err := a.Keys.Authenticate(ctx, key)
	return directory.Caller{Principal: p, Scope: tenant.Grant(p.TenantID, tenant.PlatformWorkspace)}, err
}
