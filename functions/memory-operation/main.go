// Command memory-operation is the Lambda function of one route: What became of an append.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryOperation, memoryapi.Operation) }
