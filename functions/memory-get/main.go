// Command memory-get is the Lambda function of one route: Read one entry.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryGet, memoryapi.Get) }
