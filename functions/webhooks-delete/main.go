// Command webhooks-delete is the Lambda function of one route: End a webhook and its deliveries.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/webhooksapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.WebhooksDelete, webhooksapi.Delete) }
