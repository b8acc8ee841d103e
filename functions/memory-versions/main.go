// Command memory-versions is the Lambda function of one route: List an entry's versions, newest first.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryVersions, memoryapi.Versions) }
