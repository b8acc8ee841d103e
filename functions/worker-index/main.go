// Command worker-index is the Lambda function of one worker: Brings the index up to the log.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerIndex) }
