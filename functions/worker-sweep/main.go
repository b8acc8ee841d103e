// Command worker-sweep is the Lambda function of one worker: Sends due jobs whose message was lost.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerSweep) }
