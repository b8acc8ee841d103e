// Command agents-facts-list is the Lambda function of one route: List an agent's facts.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AgentsFactsList, factapi.AgentFacts) }
