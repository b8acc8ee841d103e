// Command admin-workspaces-get is the Lambda function of one route: Read a workspace.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminWorkspacesGet, adminapi.WorkspacesGet) }
