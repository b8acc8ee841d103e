// Command agents-facts-versions is the Lambda function of one route: List a fact's versions.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AgentsFactsVersions, factapi.AgentFactVersions) }
