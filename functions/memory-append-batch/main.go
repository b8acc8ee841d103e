// Command memory-append-batch is the Lambda function of one route: Store 1 to 100 memories, one result an item.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryAppendBatch, memoryapi.AppendBatch) }
