// Command worker-erase is the Lambda function of one worker: Erases every copy, step by step.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerErase) }
