// Command worker-idle is the Lambda function of one worker: Seals runs that nobody uses any more.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerIdle) }
