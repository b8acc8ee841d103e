package adminapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type tenantInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"200"`
	}
}

// Tenant is a new tenant with its first key (T.31).
type Tenant struct {
	TenantID  string       `json:"tenantId"`
	Name      string       `json:"name"`
	CreatedAt httpapi.Time `json:"createdAt"`
	AdminKey  *string      `json:"adminKey" nullable:"true" doc:"A person's key with role admin for all workspaces; shown once, null in a replay"`
}

// TenantsCreate makes a tenant and its admin key.
func TenantsCreate(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminTenantsCreate, func(ctx context.Context, c *httpapi.Call, in *tenantInput) (httpapi.Reply[Tenant], error) {
		made, err := d.Directory.CreateTenant(ctx, caller(c), in.Body.Name)
		if err != nil {
			return httpapi.Reply[Tenant]{}, err
		}
		return httpapi.OK(Tenant{
			TenantID: made.Tenant.ID, Name: made.Tenant.Name, CreatedAt: httpapi.At(made.Tenant.CreatedAt), AdminKey: orNull(made.AdminKey),
		}).Wrote(made.Outcome), nil
	})
}
