// Command webhooks-list is the Lambda function of one route: List webhooks without secrets.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/webhooksapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.WebhooksList, webhooksapi.List) }
