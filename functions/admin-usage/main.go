// Command admin-usage is the Lambda function of one route: Usage of a workspace.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminUsage, adminapi.Usage) }
