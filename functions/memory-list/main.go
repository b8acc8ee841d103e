// Command memory-list is the Lambda function of one route: List entries, newest first.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryList, memoryapi.List) }
