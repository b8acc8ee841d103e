// Command admin-workspaces-update is the Lambda function of one route: Change a workspace's name or settings.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminWorkspacesSet, adminapi.WorkspacesUpdate) }
