// Command facts-search is the Lambda function of one route: Find facts by words.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsSearch, factapi.Search) }
