// Command agents-facts-edit is the Lambda function of one route: Edit a fact, or clear it.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AgentsFactsEdit, factapi.EditFact) }
