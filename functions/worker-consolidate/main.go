// Command worker-consolidate is the Lambda function of one worker: Consolidates runs, step by step.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerConsolidate) }
