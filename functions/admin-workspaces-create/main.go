// Command admin-workspaces-create is the Lambda function of one route: Make a workspace.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminWorkspacesCreate, adminapi.WorkspacesCreate) }
