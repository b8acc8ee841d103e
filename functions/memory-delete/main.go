// Command memory-delete is the Lambda function of one route: Delete an entry and erase every copy.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryDelete, memoryapi.Delete) }
