// Command memory-update is the Lambda function of one route: Replace an entry's content in place.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryUpdate, memoryapi.Update) }
