// Command worker-events is the Lambda function of one worker: Tells webhooks what happened.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerEvents) }
