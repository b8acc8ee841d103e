// Command worker-experiments is the Lambda function of one worker: Ends experiments that nobody ended in time.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerExperiments) }
