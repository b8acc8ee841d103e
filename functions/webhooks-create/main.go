// Command webhooks-create is the Lambda function of one route: Name an address that is told of events; its secret is shown once.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/webhooksapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.WebhooksCreate, webhooksapi.Create) }
