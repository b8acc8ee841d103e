// Command memory-receipt is the Lambda function of one route: Read the record of a retrieval.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryReceipt, memoryapi.Receipt) }
