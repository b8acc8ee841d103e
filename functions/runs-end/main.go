// Command runs-end is the Lambda function of one route: End a run.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.RunsEnd, factapi.EndRun) }
