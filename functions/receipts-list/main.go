// Command receipts-list is the Lambda function of one route: List receipts.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/receiptsapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.ReceiptsList, receiptsapi.List) }
