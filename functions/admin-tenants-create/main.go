// Command admin-tenants-create is the Lambda function of one route: Make a tenant and its admin key.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminTenantsCreate, adminapi.TenantsCreate) }
