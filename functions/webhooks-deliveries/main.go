// Command webhooks-deliveries is the Lambda function of one route: List a webhook's deliveries of the last 30 days, newest first.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/webhooksapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.WebhooksDeliveries, webhooksapi.Deliveries) }
