// Command admin-jobs-list is the Lambda function of one route: List background jobs of a workspace.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminJobsList, adminapi.JobsList) }
