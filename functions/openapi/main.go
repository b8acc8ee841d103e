// Command openapi is the Lambda function of one route: The OpenAPI 3.1 document of what is served.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/openapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.OpenAPI, openapi.Serve) }
