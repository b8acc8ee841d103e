// Command receipts-get is the Lambda function of one route: Read a receipt.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/receiptsapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.ReceiptsGet, receiptsapi.Get) }
