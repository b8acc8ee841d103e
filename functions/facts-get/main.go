// Command facts-get is the Lambda function of one route: Read a fact.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsGet, factapi.Get) }
