// Command memory-append is the Lambda function of one route: Store one memory.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryAppend, memoryapi.Append) }
