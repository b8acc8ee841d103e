// Command admin-workspaces-list is the Lambda function of one route: List workspaces.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminWorkspacesList, adminapi.WorkspacesList) }
