// Command facts-context is the Lambda function of one route: The block of facts for a prompt.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsContext, factapi.Context) }
