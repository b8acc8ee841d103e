// Command worker-relay is the Lambda function of one worker: Turns changes of the table into messages.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerRelay) }
