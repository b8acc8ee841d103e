// Command facts-list is the Lambda function of one route: List facts, newest first.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsList, factapi.List) }
