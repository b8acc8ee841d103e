// Command webhooks-redeliver is the Lambda function of one route: Try a delivery again at once.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/webhooksapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.WebhooksRedeliver, webhooksapi.Redeliver) }
