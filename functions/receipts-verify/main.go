// Command receipts-verify is the Lambda function of one route: Check the chain.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/receiptsapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.ReceiptsVerify, receiptsapi.Verify) }
