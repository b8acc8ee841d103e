// Command worker-seal is the Lambda function of one worker: Seals read receipts into the chain.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerSeal) }
