// Command facts-tools is the Lambda function of one route: Definitions of the tools for a model.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsTools, factapi.Tools) }
