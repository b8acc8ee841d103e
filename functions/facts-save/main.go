// Command facts-save is the Lambda function of one route: Save a fact, or the next version of one.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.FactsSave, factapi.Save) }
