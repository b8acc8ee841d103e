// Command agents-facts-delete is the Lambda function of one route: Remove a fact with its whole history.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AgentsFactsDelete, factapi.DeleteFact) }
