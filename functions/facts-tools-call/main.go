// Command facts-tools-call is the Lambda function of one route: Do what a model asks for.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsToolsCall, factapi.CallTool) }
