// Command agents-list is the Lambda function of one route: List the agents that have facts.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AgentsList, factapi.Agents) }
