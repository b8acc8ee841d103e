// Command admin-jobs-retry is the Lambda function of one route: Try a dead job again.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminJobsRetry, adminapi.JobsRetry) }
