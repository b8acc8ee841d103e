// Command runs-create is the Lambda function of one route: Start a run and answer its token.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.RunsCreate, factapi.StartRun) }
