// Command healthz is the Lambda function of one route: The process lives.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.Healthz, adminapi.Healthz) }
