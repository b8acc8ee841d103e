// Command readyz is the Lambda function of one route: The stores answer.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.Readyz, adminapi.Readyz) }
